/**
 * What the sample servers share: options, threads with an event loop each, the line that says ready, where other lines
 * go, and an orderly stop.
 *
 * <p>The stop goes in three steps, each by the loop threads themselves: the listening sockets close; every connection
 * finishes what it has received; when none is left, or the grace period is over, the loops close.
 */
package dev.sluice.samples.server;
