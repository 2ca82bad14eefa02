package dev.sluice.benchmarks.load;

/**
 * The packets that came, and how late. All but the rate are of those that were sent while it was measured.
 *
 * @param seconds          the length of the measurement, in seconds
 * @param sent             how many were sent
 * @param lost             how many did not come, of all that each receiver should have got
 * @param rate             how many came in a second, to the receiver that got the fewest
 * @param mean             from when a packet was due until it came, in microseconds
 * @param p99              the same of 99 %
 * @param longest          the same of all
 * @param serverCpuSeconds the CPU time that the server has used; null where the system does not tell
 * @param generatorBusy    the share of the time that the load generator was busy, from 0 to 1
 */
public record PacketsResult(double seconds, long sent, long lost, double rate, double mean, double p99,
        double longest, Double serverCpuSeconds, double generatorBusy) {
}
