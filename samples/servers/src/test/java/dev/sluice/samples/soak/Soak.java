package dev.sluice.samples.soak;

import dev.sluice.campaign.Campaign;
import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Rounds of load, by good and bad clients at the same time. Between rounds no client is connected, and each server is
 * examined: what it still retains then is leaked.
 */
final class Soak {

    private static final int CLIENTS = 2;

    private final Campaign campaign;
    private final List<Target> targets;
    private final int rounds;
    private final Duration length;
    private final long minMessages;
    private final Duration pause;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean loading;

    /**
     * Plans one.
     *
     * @param campaign      where the randomness comes from
     * @param targets       the servers
     * @param rounds        how many
     * @param length        of each
     * @param minMessages number that the good clients of each server exchange in a round, which lasts longer for it
     * @param pause         of each client between two connections, so that others can use the machine, too
     */
    Soak(Campaign campaign, List<Target> targets, int rounds, Duration length, long minMessages, Duration pause) {
        this.campaign = campaign;
        this.targets = targets;
        this.rounds = rounds;
        this.length = length;
        this.minMessages = minMessages;
        this.pause = pause;
    }

    /** What a thread does again and again, until the round is over. */
    private interface Step {
        void take() throws Exception;
    }

    /** Runs all rounds; a client that did not get what it should ends the run. */
    void run() throws Exception {
        try (Yardstick yardstick = new Yardstick()) {
            for (int round = 0; round < rounds; round++) {
                double yardstickNanos = load(round, yardstick);
                if (!failures.isEmpty()) {
                    AssertionError error = new AssertionError("in round " + round + " of " + campaign);
                    failures.forEach(error::addSuppressed);
                    throw error;
                }
                atOnce(targets, target -> target.look(yardstickNanos));
            }
        }
    }

    /** What can be done to several at once. */
    interface Action<T> {
        void apply(T to) throws Exception;
    }

    /** Does the same to all, in a thread each, and waits until all is done. */
    static <T> void atOnce(Collection<T> all, Action<T> action) throws Exception {
        List<Background<Void>> started = new ArrayList<>();
        for (T each : all) {
            started.add(Background.run(() -> {
                action.apply(each);
                return null;
            }));
        }
        for (Background<Void> each : started) {
            each.result();
        }
    }

    /** {@return how long a message took by the yardstick} */
    private double load(int round, Yardstick yardstick) throws Exception {
        loading = true;
        List<Thread> threads = new ArrayList<>();
        AtomicLong yardstickMessages = new AtomicLong();
        AtomicLong yardstickTime = new AtomicLong();
        Random forYardstick = campaign.random(round);
        threads.add(start("yardstick client", () -> {
            long start = System.nanoTime();
            yardstickMessages.addAndGet(yardstick.hold(forYardstick));
            yardstickTime.addAndGet(System.nanoTime() - start);
        }));
        long run = (long) (round + 1) << Short.SIZE;
        for (Target target : targets) {
            for (int i = 0; i < CLIENTS && target.conversation() != null; i++) {
                Random random = campaign.random(run++);
                threads.add(start("client of " + target.server().name(), () -> converse(target, random)));
            }
            Random random = campaign.random(run++);
            threads.add(start("enemy of " + target.server().name(), () -> attack(target, random)));
        }
        Thread.sleep(length.toMillis());
        for (Target target : targets) {
            Patience.until(minMessages + " messages a round", () -> target.conversation() == null
                    || target.messages() >= (round + 1) * minMessages || !failures.isEmpty());
        }
        loading = false;
        for (Thread thread : threads) {
            thread.join();
        }
        return (double) yardstickTime.get() / yardstickMessages.get();
    }

    private Thread start(String name, Step step) {
        Thread thread = new Thread(() -> {
            try {
                while (loading) {
                    step.take();
                    LockSupport.parkNanos(pause.toNanos());
                }
            } catch (Throwable e) {
                failures.add(new AssertionError(name, e));
            }
        }, name);
        thread.start();
        return thread;
    }

    private static void converse(Target target, Random random) throws IOException {
        long start = System.nanoTime();
        int messages = target.conversation().hold(random);
        target.answered(messages, System.nanoTime() - start);
    }

    private static void attack(Target target, Random random) {
        List<Hostility> ways = target.hostilities();
        try {
            ways.get(random.nextInt(ways.size())).attack(target.address(), target.request(), random);
        } catch (IOException e) {
            // Broken off by the server, as it may. One that takes no new connection fails the good clients.
        }
    }
}
