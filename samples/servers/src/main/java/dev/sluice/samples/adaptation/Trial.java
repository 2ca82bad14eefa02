package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileIo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A trial of several ways, used alternately, so that a changing load affects all of them. Immutable.
 *
 * @param ways    those that are still being tried; the first one was used before the trial
 * @param length  how many samples a window has
 * @param windows of each of them
 * @param begun   the window of the way whose turn it is, as far as it goes
 * @param settles whether the next window tells nothing: first the sockets still hold what the way before has sent
 * @param idle    for how many windows in a row there has been too little to do
 */
record Trial(List<FileIo> ways, int length, List<List<Window>> windows, Window begun, boolean settles, int idle) {

    /** Number of windows of each way. */
    static final int ROUNDS = 2;

    /** A way whose rate in the first comparison is below this share of the first way's is not tried again. */
    private static final double HOPELESS = 0.75;
    /** Smaller differences are chance. */
    private static final double CLEARLY_FASTER = 1.05;
    private static final double AS_FAST = 0.98;
    private static final double CLEARLY_CHEAPER = 0.85;
    /** Processor time is counted in ticks of 10 ms by most systems, and each window begins within one. */
    private static final long MIN_CPU_SAVED = 30_000_000;
    private static final int MAX_IDLE = 5;

    /** Copies the lists. */
    Trial {
        ways = List.copyOf(ways);
        windows = windows.stream().map(List::copyOf).toList();
    }

    static Trial of(List<FileIo> ways, int length) {
        return new Trial(ways, length, Collections.nCopies(ways.size(), List.of()), Window.NONE, false, 0);
    }

    /** {@return the index of the current way} */
    private int currentIndex() {
        int index = 0;
        for (int i = 1; i < ways.size(); i++) {
            if (windows.get(i).size() < windows.get(index).size()) {
                index = i;
            }
        }
        return index;
    }

    /** {@return the current way} */
    FileIo way() {
        return ways.get(currentIndex());
    }

    /** {@return the next state, after a window with too little work for the current way} */
    Trial pause() {
        return new Trial(ways, length, windows, begun, settles, idle + 1);
    }

    /** {@return whether it has waited for work for too long} */
    boolean isAbandoned() {
        return idle >= MAX_IDLE;
    }

    /** {@return the next state, after a sample of the current way} */
    Trial next(Window sample) {
        if (settles) {
            return new Trial(ways, length, windows, begun, false, 0);
        }
        Window window = begun.and(sample);
        return window.samples() < length
                ? new Trial(ways, length, windows, window, false, 0) : endWindow(window);
    }

    private Trial endWindow(Window window) {
        int index = currentIndex();
        List<List<Window>> more = new ArrayList<>(windows);
        List<Window> ofCurrent = new ArrayList<>(more.get(index));
        ofCurrent.add(window);
        more.set(index, ofCurrent);
        List<FileIo> left = new ArrayList<>(ways);
        if (index > 0 && ofCurrent.size() == 1 && window.rate() < HOPELESS * more.get(0).get(0).rate()) {
            left.remove(index);
            more.remove(index);
        }
        return new Trial(left, length, more, Window.NONE, true, 0);
    }

    /** {@return whether each way has had its turns, or none is left but the first one} */
    boolean isOver() {
        return ways.size() == 1 || windows.stream().allMatch(each -> each.size() == ROUNDS);
    }

    /** {@return how fast the first one has been, in octets per second} */
    double firstRate() {
        return windows.get(0).isEmpty() ? 0 : median(0);
    }

    /** {@return the mean number of concurrent replies while the first way was used} */
    double firstRequests() {
        return windows.get(0).stream().mapToDouble(Window::requestsAtOnce).average().orElse(0);
    }

    /**
     * {@return the way to use from now on, if the trial is over: differs from the one before only if it is clearly
     * better, or if it is the configured one and better at all}
     *
     * @param usual what is configured
     */
    FileIo verdict(FileIo usual) {
        int best = 0;
        for (int i = 1; i < ways.size(); i++) {
            if (isClearlyBetter(i, best)) {
                best = i;
            }
        }
        int configured = ways.indexOf(usual);
        return best == 0 && configured > 0 && median(0) < AS_FAST * median(configured) ? usual : ways.get(best);
    }

    /**
     * {@return whether another way than the verdict seems to be clearly faster, and not in all of its turns: then the
     * windows are too short, as with large files, which clients take in bursts}
     *
     * @param usual what is configured
     */
    boolean isUnclear(FileIo usual) {
        if (ways.size() == 1) {
            return false;
        }
        double best = median(ways.indexOf(verdict(usual)));
        return best > 0
                && IntStream.range(0, ways.size()).anyMatch(each -> median(each) >= CLEARLY_FASTER * best);
    }

    /**
     * The throughput of clients comes first: a way that saves the server time may cost clients on the same machine
     * more.
     */
    private boolean isClearlyBetter(int one, int other) {
        double ratio = median(one) / median(other);
        return ratio >= CLEARLY_FASTER
                ? slowest(one) > fastest(other)
                : ratio >= AS_FAST && isClearlyCheaper(one, other);
    }

    private boolean isClearlyCheaper(int one, int other) {
        double cpu = cpu(other);
        double cpuOfOne = cpu(one) / work(one) * work(other);
        return cpuOfOne > 0 && cpuOfOne <= CLEARLY_CHEAPER * cpu && cpu - cpuOfOne >= MIN_CPU_SAVED;
    }

    private double median(int way) {
        return windows.get(way).stream().mapToDouble(Window::rate).sorted()
                .skip((windows.get(way).size() - 1) / 2).findFirst().orElseThrow();
    }

    private double slowest(int way) {
        return windows.get(way).stream().mapToDouble(Window::rate).min().orElseThrow();
    }

    private double fastest(int way) {
        return windows.get(way).stream().mapToDouble(Window::rate).max().orElseThrow();
    }

    private double cpu(int way) {
        return windows.get(way).stream().mapToDouble(Window::cpuNanos).sum();
    }

    private double work(int way) {
        return windows.get(way).stream().mapToDouble(Window::work).sum();
    }

    /** {@return for example {@code transmit 12000, mmap 9000}: MB/s of each way in the middle} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ways.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(ways.get(i));
            if (!windows.get(i).isEmpty()) {
                text.append(' ').append(Math.round(median(i) / 1e6));
            }
        }
        return text.toString();
    }
}
