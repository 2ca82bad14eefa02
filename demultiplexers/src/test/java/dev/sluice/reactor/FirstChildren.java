package dev.sluice.reactor;

import dev.sluice.calls.SmallJvm;
import dev.sluice.eventloop.OsSignal;
import java.time.Duration;

/** A program that asks for {@code SIGCHLD} before its JVM has ever started a process, and then starts some. */
final class FirstChildren {

    static final int CHILDREN = 3;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private FirstChildren() {
    }

    /** Prints for each child whether its signal has come, and its exit status. */
    public static void main(String[] none) throws Exception {
        int[] heard = {0};
        try (Reactor reactor = Reactor.open()) {
            reactor.onSignal(OsSignal.CHLD, () -> heard[0]++);
            for (int child = 0; child < CHILDREN; child++) {
                heard[0] = 0;
                Process process = new ProcessBuilder("sh", "-c", "exit 3").start();
                int exit = process.waitFor();
                long end = System.nanoTime() + LIMIT.toNanos();
                while (heard[0] == 0 && end - System.nanoTime() > 0) {
                    reactor.runOnce(Duration.ofMillis(100));
                }
                System.out.println(SmallJvm.MARK + (heard[0] > 0 ? "notified of " : "not notified of ") + exit);
                if (heard[0] == 0) {
                    return;
                }
            }
        }
    }
}
