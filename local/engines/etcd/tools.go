//go:build tools

// Package tools pins the etcd server that the one-machine platform builds when it can't be downloaded.
package tools

import _ "go.etcd.io/etcd/server/v3/etcdmain"
