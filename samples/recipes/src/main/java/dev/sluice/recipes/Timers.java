package dev.sluice.recipes;

import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.time.Duration;

/** A hundred thousand timers on one loop, and one more that stops it. */
public final class Timers {

    private static int fired;

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            for (int i = 0; i < 100_000; i++) {
                reactor.schedule(() -> fired++, Duration.ofMillis(i % 2_000));
            }
            reactor.schedule(reactor::stop, Duration.ofSeconds(2));
            reactor.run();
        }
        System.out.println(fired + " timers have fired");
    }
}
