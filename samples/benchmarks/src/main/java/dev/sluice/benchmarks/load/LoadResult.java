package dev.sluice.benchmarks.load;

/**
 * What was measured.
 *
 * @param seconds          the length of the measurement, in seconds
 * @param messages         whose reply has come in this time
 * @param bytes            of replies that have come in this time, whole or not
 * @param p50              the median latency, in microseconds
 * @param p99              the latency of 99 %, in microseconds
 * @param p999             the latency of 99.9 %, in microseconds
 * @param serverCpuSeconds the CPU time that the server has used; null where the system does not tell
 * @param generatorBusy    the share of the time that the load generator was busy, from 0 to 1
 */
public record LoadResult(double seconds, long messages, long bytes, double p50, double p99, double p999,
        Double serverCpuSeconds, double generatorBusy) {

    /** {@return messages per second} */
    public double rate() {
        return messages / seconds;
    }
}
