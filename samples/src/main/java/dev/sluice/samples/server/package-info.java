/**
 * What the sample servers share: options, threads with a reactor each, the line that says ready, where other lines go,
 * and an orderly stop.
 *
 * <p>The stop goes in three steps, each by the loop threads themselves: the listening sockets close; every connection
 * finishes what it has received; when none is left, or the grace period is over, the reactors close.
 */
package dev.sluice.samples.server;
