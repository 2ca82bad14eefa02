package dev.sluice.benchmarks.web;

import java.util.List;

/**
 * The page that clients request.
 *
 * @param name      as in the report
 * @param size      of the file, in bytes
 * @param pipelined how many requests a client sends at once
 * @param closing   whether each connection is for one request
 */
record Page(String name, int size, int pipelined, boolean closing) {

    private static final int SMALL = 1024;
    private static final int MEDIUM = 100 * 1024;
    private static final int LARGE = 1024 * 1024;
    private static final int HUGE = 5 * 1024 * 1024;

    static final List<Integer> SIZES = List.of(SMALL, MEDIUM, LARGE, HUGE);

    static final List<Page> ALL = List.of(
            new Page("1 KiB", SMALL, 1, false),
            new Page("100 KiB", MEDIUM, 1, false),
            new Page("1 MiB", LARGE, 1, false),
            new Page("5 MiB", HUGE, 1, false),
            new Page("1 KiB, 16 pipelined", SMALL, 16, false),
            new Page("1 KiB, a connection each", SMALL, 1, true),
            new Page("100 KiB, a connection each", MEDIUM, 1, true),
            new Page("1 MiB, a connection each", LARGE, 1, true),
            new Page("5 MiB, a connection each", HUGE, 1, true));
}
