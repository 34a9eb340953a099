module tidepool/agent

go 1.26.0

require tidepool v0.0.0

replace tidepool => ../
