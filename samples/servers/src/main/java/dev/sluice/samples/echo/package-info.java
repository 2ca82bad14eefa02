/**
 * TCP echo: the smallest server that is still a real one, and the one that the benchmarks drive. With readiness
 * ({@code EchoHandler}) and with completions ({@code ProactiveEchoHandler}).
 */
package dev.sluice.samples.echo;
