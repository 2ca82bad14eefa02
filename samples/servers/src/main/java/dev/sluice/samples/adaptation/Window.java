package dev.sluice.samples.adaptation;

/**
 * The work done in a span of time.
 *
 * @param samples  how many it consists of
 * @param nanos    how long it was, more than nothing
 * @param cpuNanos processor time of the whole process meanwhile
 * @param work     how much has been done, in octets
 * @param replies  how many came to their end
 * @param requests that were replied to at the moment of each sample, all together
 */
record Window(int samples, long nanos, long cpuNanos, long work, long replies, long requests) {

    /** An empty window. */
    static final Window NONE = new Window(0, 0, 0, 0, 0, 0);

    /**
     * The number of octets of a file that cost as much as a reply, on current machines: with its share of connections
     * and requests, a reply takes about 20 to 30 µs. Counting replies alone would hide the cost of large files, and
     * counting octets alone that of small ones.
     */
    private static final long OCTETS_PER_REPLY = 64 * 1024;
    /** Fewer than 20 replies are not conclusive. */
    private static final long MIN_WORK = 20 * OCTETS_PER_REPLY;

    static Window of(LoadSample sample) {
        return new Window(1, Math.max(1, sample.travel().nanos()), sample.travel().cpuNanos(),
                sample.travel().total() + OCTETS_PER_REPLY * sample.replies(), sample.replies(),
                sample.requests());
    }

    /** {@return this window and the following one together} */
    Window and(Window next) {
        return new Window(samples + next.samples, nanos + next.nanos, cpuNanos + next.cpuNanos, work + next.work,
                replies + next.replies, requests + next.requests);
    }

    /** {@return whether there was enough work to judge by} */
    boolean isConclusive() {
        return work >= MIN_WORK;
    }

    /** {@return octets per second} */
    double rate() {
        return 1e9 * work / nanos;
    }

    /** {@return the number of requests that were replied to at once} */
    double requestsAtOnce() {
        return (double) requests / samples;
    }

    /** {@return the duration of a reply in samples, by Little's law; 0 if none has ended} */
    double samplesPerReply() {
        return replies == 0 ? 0 : (double) requests / replies;
    }
}
