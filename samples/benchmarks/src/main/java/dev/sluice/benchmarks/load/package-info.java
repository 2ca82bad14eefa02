/**
 * A load generator that stands on Sluice: a process of its own with one thread, which checks every byte that comes
 * back. It keeps connections busy in a closed loop, as a {@link dev.sluice.benchmarks.load.Load} says, or has {@link
 * dev.sluice.benchmarks.load.Clients} of a web server, who think between their requests, or sends {@link
 * dev.sluice.benchmarks.load.Packets} through a router. {@link
 * dev.sluice.benchmarks.load.LoadGenerator} is the side of the suites, {@link dev.sluice.benchmarks.load.LoadMain} the
 * process.
 */
package dev.sluice.benchmarks.load;
