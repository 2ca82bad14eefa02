package dev.sluice.benchmarks.servers;

/**
 * The behaviour of the clients.
 *
 * @param name        as in the report
 * @param connections how many are busy
 * @param size        of a message, in bytes
 * @param depth       the number of messages that each connection has in flight
 * @param idle        how many connections say nothing
 */
record Shape(String name, int connections, int size, int depth, int idle) {

    static final Shape ONE = new Shape("1x64 B", 1, 64, 1, 0);
    static final Shape SOME = new Shape("64x64 B", 64, 64, 1, 0);
    static final Shape MANY = new Shape("1000x64 B", 1000, 64, 1, 0);
    static final Shape DEEP = new Shape("64x64 B, 16 deep", 64, 64, 16, 0);
    static final Shape MEDIUM = new Shape("64x16 KiB", 64, 16 * 1024, 1, 0);
    static final Shape LARGE = new Shape("16x64 KiB", 16, 64 * 1024, 1, 0);
    static final Shape LARGE_AND_DEEP = new Shape("4x200 KB, 8 deep", 4, 200_000, 8, 0);
    static final Shape HUGE = new Shape("1x1 MiB", 1, 1024 * 1024, 1, 0);
    static final Shape MOSTLY_IDLE = new Shape("100x64 B + 9000 idle", 100, 64, 1, 9_000);

    /** {@return how many descriptors a server or the load generator needs} */
    long descriptors() {
        // What a Java has open beside its connections.
        return connections + idle + 200L;
    }
}
