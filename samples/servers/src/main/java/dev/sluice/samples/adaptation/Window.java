package dev.sluice.samples.adaptation;

/**
 * What has been done in some time.
 *
 * @param samples  how many it consists of
 * @param nanos    how long it was, more than nothing
 * @param cpuNanos processor time of the whole process meanwhile
 * @param work     how much has been done, in octets
 * @param replies  how many came to their end
 * @param requests that were replied to at the moment of each sample, all together
 */
record Window(int samples, long nanos, long cpuNanos, long work, long replies, long requests) {

    /** Of nothing yet. */
    static final Window NONE = new Window(0, 0, 0, 0, 0, 0);

    /**
     * A reply costs as much as so many octets of a file, on machines of today: with the connections and requests that
     * go with it, about 20 to 30 µs. Replies alone would hide what large files do, and octets what small ones do.
     */
    private static final long OCTETS_PER_REPLY = 64 * 1024;
    /** Less than so many replies tell nothing. */
    private static final long LEAST_WORK = 20 * OCTETS_PER_REPLY;

    static Window of(LoadSample sample) {
        return new Window(1, Math.max(1, sample.travel().nanos()), sample.travel().cpuNanos(),
                sample.travel().total() + OCTETS_PER_REPLY * sample.replies(), sample.replies(),
                sample.requests());
    }

    /** {@return this one and what has been done after it} */
    Window and(Window next) {
        return new Window(samples + next.samples, nanos + next.nanos, cpuNanos + next.cpuNanos, work + next.work,
                replies + next.replies, requests + next.requests);
    }

    /** {@return whether there was enough to do to tell anything} */
    boolean tells() {
        return work >= LEAST_WORK;
    }

    /** {@return octets per second} */
    double rate() {
        return 1e9 * work / nanos;
    }

    /** {@return how many requests were replied to at once} */
    double requestsAtOnce() {
        return (double) requests / samples;
    }

    /** {@return for how many samples a reply was under way, by Little's law; 0 if none came to its end} */
    double samplesPerReply() {
        return replies == 0 ? 0 : (double) requests / replies;
    }
}
