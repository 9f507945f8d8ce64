// Package storetest is the conformance suite of the engines of package store. The tests of an
// engine cover only its files and connections.
package storetest
