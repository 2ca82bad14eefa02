/**
 * TCP echo: the smallest server that is still a real one, and the one that the benchmarks drive. {@code EchoPattern}
 * has it with readiness and with completions, {@code EchoConversation} for the other concurrency strategies.
 */
package dev.sluice.samples.echo;
