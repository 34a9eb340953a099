package main

import (
	"bytes"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The plot has an opaque background, so that it is readable on dark and on light pages.
const (
	plotWidth  = 7 * vg.Inch
	plotHeight = 3 * vg.Inch // of each panel
)

func oursColor() color.Color { return color.RGBA{R: 0x0b, G: 0x5c, B: 0xad, A: 0xff} }
func bareColor() color.Color { return color.RGBA{R: 0xb8, G: 0x4a, B: 0x00, A: 0xff} }

// drawPanels returns an SVG of panels, one below the other. The same numbers make the same bytes.
func drawPanels(all []panel) ([]byte, error) {
	canvas := vgsvg.New(plotWidth, plotHeight*vg.Length(len(all)))
	tiles := draw.Tiles{Rows: len(all), Cols: 1, PadX: vg.Points(6), PadY: vg.Points(10), PadTop: vg.Points(6), PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(14)}
	var plots [][]*plot.Plot
	for _, of := range all {
		drawn, err := of.plot()
		if err != nil {
			return nil, fmt.Errorf("drawing %q: %w", of.title, err)
		}
		plots = append(plots, []*plot.Plot{drawn})
	}
	whole := draw.New(canvas)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	for i, row := range plot.Align(plots, tiles, whole) {
		plots[i][0].Draw(row[0])
	}
	var out bytes.Buffer
	_, err := canvas.WriteTo(&out)
	return out.Bytes(), err
}

// plot draws a panel with both scales logarithmic.
func (of panel) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = of.title, "lines of code", of.unit
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(decades), plot.TickerFunc(decades)
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	for _, s := range []struct {
		name   string
		color  color.Color
		glyph  draw.GlyphDrawer
		points []point
	}{{"tidepool", oursColor(), draw.CircleGlyph{}, of.ours}, {"bare server", bareColor(), draw.TriangleGlyph{}, of.bare}} {
		if err := addSeries(p, s.name, s.color, s.glyph, s.points); err != nil {
			return nil, err
		}
	}
	p.X.Min, p.X.Max = wholeDecades(p.X.Min, p.X.Max)
	p.Y.Min, p.Y.Max = wholeDecades(p.Y.Min, p.Y.Max)
	return p, nil
}

// addSeries draws the points of a side, and the fitted line with its exponent in the legend.
func addSeries(p *plot.Plot, name string, in color.Color, glyph draw.GlyphDrawer, points []point) error {
	if len(points) == 0 {
		return nil
	}
	dots, err := plotter.NewScatter(coordinates(points))
	if err != nil {
		return err
	}
	dots.Color, dots.Shape, dots.Radius = in, glyph, vg.Points(3)
	p.Add(dots)
	e, c, ok := exponent(points)
	if !ok {
		p.Legend.Add(name, dots)
		return nil
	}
	first, last := points[0].lines, points[0].lines
	for _, at := range points {
		first, last = min(first, at.lines), max(last, at.lines)
	}
	line, err := plotter.NewLine(coordinates([]point{{first, c * math.Pow(first, e)}, {last, c * math.Pow(last, e)}}))
	if err != nil {
		return err
	}
	line.Color, line.Width = in, vg.Points(1.2)
	p.Add(line)
	p.Legend.Add(fmt.Sprintf("%s, exponent %.2f", name, e), line, dots)
	return nil
}

func coordinates(points []point) plotter.XYs {
	xys := make(plotter.XYs, len(points))
	for i, p := range points {
		xys[i] = plotter.XY{X: p.lines, Y: p.cost}
	}
	return xys
}

// decades marks 1, 2 and 5 of each power of ten, with a label for 1.
func decades(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for power := math.Floor(math.Log10(low)); power <= math.Ceil(math.Log10(high)); power++ {
		for _, digit := range []float64{1, 2, 5} {
			value, label := digit*math.Pow(10, power), ""
			if digit == 1 {
				label = short(value)
			}
			if value >= low*0.999 && value <= high*1.001 {
				ticks = append(ticks, plot.Tick{Value: value, Label: label})
			}
		}
	}
	return ticks
}

// short writes a power of ten: 0.1, 10, 10k, 10M.
func short(value float64) string {
	switch {
	case value >= 1e6:
		return fmt.Sprintf("%.10gM", value/1e6)
	case value >= 1e4:
		return fmt.Sprintf("%.10gk", value/1e3)
	}
	return fmt.Sprintf("%.10g", value)
}

// wholeDecades widens a range to powers of ten; one without points becomes 1 to 10.
func wholeDecades(low, high float64) (from, to float64) {
	if low > high || low <= 0 {
		return 1, 10
	}
	from, to = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	if from == to {
		to *= 10
	}
	return from, to
}
