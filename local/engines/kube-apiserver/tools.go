//go:build tools

// Package tools pins the kube-apiserver that the one-machine platform builds when it can't be downloaded.
package tools

import _ "k8s.io/kubernetes/cmd/kube-apiserver"
