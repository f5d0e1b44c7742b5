// Runs a health check of Argo CD as Argo CD does: with the same interpreter, the same few libraries, and the object as
// the global obj. It reads {"script": ..., "objects": [...]} from its input and writes the results as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	lua "github.com/yuin/gopher-lua"
)

type input struct {
	Script  string `json:"script"`
	Objects []any  `json:"objects"`
}

type health struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func main() {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		fail(err)
	}
	results := []health{}
	for _, object := range given.Objects {
		result, err := run(given.Script, object)
		if err != nil {
			fail(err)
		}
		results = append(results, result)
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		fail(err)
	}
}

func run(script string, object any) (health, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for _, library := range []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}} {
		call := lua.P{Fn: state.NewFunction(library.open), NRet: 0, Protect: true}
		if err := state.CallByParam(call, lua.LString(library.name)); err != nil {
			return health{}, err
		}
	}
	state.SetGlobal("obj", valueOf(state, object))
	if err := state.DoString(script); err != nil {
		return health{}, err
	}
	table, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		return health{}, fmt.Errorf("the script returns no table")
	}
	return health{textOf(table, "status"), textOf(table, "message")}, nil
}

func textOf(table *lua.LTable, field string) string {
	text, ok := table.RawGetString(field).(lua.LString)
	if !ok {
		return ""
	}
	return string(text)
}

func valueOf(state *lua.LState, value any) lua.LValue {
	switch value := value.(type) {
	case bool:
		return lua.LBool(value)
	case float64:
		return lua.LNumber(value)
	case string:
		return lua.LString(value)
	case []any:
		list := state.CreateTable(len(value), 0)
		for _, one := range value {
			list.Append(valueOf(state, one))
		}
		return list
	case map[string]any:
		table := state.CreateTable(0, len(value))
		for name, one := range value {
			table.RawSetString(name, valueOf(state, one))
		}
		return table
	}
	return lua.LNil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
