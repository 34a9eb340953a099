// Command zoo runs.
package main

import (
	"fmt"

	"example.test/zoo"
	"example.test/zoo/dot"
	"example.test/zoo/farm"
	"example.test/zoo/kinds"
	"example.test/zoo/model"
)

func main() {
	fmt.Println(zoo.Feed(1), dot.Lunch()) // want zoo.Feed: call
	farm.Feed(2)                          // want farm.Feed: call
	farm.Morning(new(farm.Barn))
	var a zoo.Animal = farm.Dog{}
	a.Sound() // want Animal.Sound: call, zoo.Dog.Sound: interface call, Cat.Sound: interface call, farm.Dog.Sound: interface call
	fmt.Println(kinds.Red, model.Server{})
}
