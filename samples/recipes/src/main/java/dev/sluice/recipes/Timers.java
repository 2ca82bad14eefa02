package dev.sluice.recipes;

import dev.sluice.reactor.Reactor;
import dev.sluice.timer.TimeoutHandler;
import java.io.IOException;
import java.time.Duration;

/** A hundred thousand timers on one loop, which is stopped by the last one. */
public final class Timers {

    private static int fired;

    public static void main(String[] args) throws IOException {
        try (Reactor reactor = Reactor.open()) {
            TimeoutHandler fire = token -> {
                if (++fired == 100_000) {
                    reactor.stop();
                }
            };
            for (int i = 0; i < 100_000; i++) {
                reactor.schedule(fire, null, Duration.ofMillis(i % 2_000));
            }
            reactor.run();
        }
        System.out.println(fired + " timers have fired");
    }
}
