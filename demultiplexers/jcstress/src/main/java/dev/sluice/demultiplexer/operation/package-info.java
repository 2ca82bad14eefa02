/**
 * The moments at which an operation can get lost or be told of twice, as tests for jcstress: what threads leave to the
 * inside, and the start, the cancellation, the completion and the close that meet there.
 */
package dev.sluice.demultiplexer.operation;
