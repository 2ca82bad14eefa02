/**
 * Tests for jcstress of the moments at which an operation could get lost or be reported twice: the commands that
 * threads leave for the inside of a processor, and the start, the cancellation, the completion and the close that meet
 * there.
 */
package dev.sluice.demultiplexer.operation;
