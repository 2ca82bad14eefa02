package dev.sluice.benchmarks.jaws;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The files that clients request.
 *
 * @param name     as in the report
 * @param sizes    of the files in bytes, in the order in which they are asked for, again and again
 * @param requests whether requests are counted instead of what they bring
 */
record FileMix(String name, List<Integer> sizes, boolean requests) {

    /** The sizes of WebStone's files, and how many of a thousand requests are for each. */
    private enum Share {
        SMALLEST("500 B", 500, 350),
        SMALL("5 KB", 5_000, 500),
        MEDIUM("50 KB", 50_000, 140),
        LARGE("500 KB", 500_000, 9),
        LARGEST("5 MB", 5_000_000, 1);

        private final String name;
        private final int size;
        private final int ofThousand;

        Share(String name, int size, int ofThousand) {
            this.name = name;
            this.size = size;
            this.ofThousand = ofThousand;
        }
    }

    private static final long SEED = 0x1A35;

    /**
     * All sizes by their frequency, and each size alone. The first one warms a server up for the others: in it are
     * files that are sent with their head, and files that are transmitted.
     */
    static final List<FileMix> ALL = all();

    /** The extremes, what is between them, and all sizes by their frequency. */
    static final List<FileMix> SOME = List.of(ALL.get(0), ALL.get(1), ALL.get(3), ALL.get(5));

    /** {@return the sizes that there are, in bytes} */
    static List<Integer> distinctSizes() {
        return List.of(Share.values()).stream().map(share -> share.size).toList();
    }

    private static List<FileMix> all() {
        List<FileMix> single = new ArrayList<>();
        List<Integer> mix = new ArrayList<>();
        for (Share share : Share.values()) {
            single.add(new FileMix(share.name, List.of(share.size), false));
            mix.addAll(Collections.nCopies(share.ofThousand, share.size));
        }
        Collections.shuffle(mix, new Random(SEED));
        List<FileMix> all = new ArrayList<>();
        // How many of the largest happen to be in a measurement decides on its bytes, but hardly on its requests.
        all.add(new FileMix("mix", List.copyOf(mix), true));
        all.addAll(single);
        return List.copyOf(all);
    }

    /** {@return whether clients take some time for each file, so that it takes longer to see what suits them} */
    boolean isOfLargeFiles() {
        return sizes.stream().allMatch(size -> size >= Share.LARGE.size);
    }

    /** {@return what is called the throughput in the report} */
    String throughput() {
        return (requests ? "requests per second, " : "throughput, ") + name;
    }

    /** {@return its unit} */
    String unit() {
        return requests ? "1/s" : "Mbit/s";
    }

    /** {@return what the median is called in the report} */
    String medianLatency() {
        return "median latency, " + name;
    }

    /** {@return what the latency of 99 % is called in the report} */
    String highLatency() {
        return "99th percentile of the latency, " + name;
    }
}
