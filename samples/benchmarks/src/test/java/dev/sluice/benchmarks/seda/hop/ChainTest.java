package dev.sluice.benchmarks.seda.hop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each chain brings all events through all stages in order; and one that does not is found out. */
class ChainTest {

    private static final int STAGES = 3;
    private static final int COUNT = 100;

    @ParameterizedTest
    @EnumSource
    void bringsAllEventsThroughAllStages(ChainKind kind) {
        Arrivals arrivals = new Arrivals(STAGES, COUNT);
        try (Chain chain = kind.open(STAGES, 128, arrivals)) {
            for (int i = 0; i < 50; i++) {
                arrivals.send(chain);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noticesAStageTooFew(ChainKind kind) {
        Arrivals arrivals = new Arrivals(STAGES + 1, COUNT);
        try (Chain chain = kind.open(STAGES, 128, arrivals)) {
            assertThrows(IllegalStateException.class, () -> arrivals.send(chain));
        }
    }

    @Test
    void noticesEventsOutOfOrder() {
        Arrivals arrivals = new Arrivals(1, 2);
        List<HopEvent> sent = new ArrayList<>();
        IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> arrivals.send(chain(event -> {
            sent.add(event);
            if (sent.size() == 2) {
                Collections.reverse(sent);
                sent.forEach(each -> {
                    each.handle();
                    arrivals.arrive(each);
                });
            }
        })));
        assertEquals("event 1 came after 1 stages in place of event 0 after 1", thrown.getMessage());
    }

    @Test
    void doesNotWaitForWhatIsLost() {
        Arrivals arrivals = new Arrivals(1, 2);
        IllegalStateException thrown = assertThrows(IllegalStateException.class,
                () -> arrivals.send(chain(event -> arrivals.fail("lost"))));
        assertEquals("lost", thrown.getMessage());
    }

    @Test
    void canBeUsedAgain() {
        Arrivals arrivals = new Arrivals(1, 2);
        Chain chain = chain(event -> {
            event.handle();
            arrivals.arrive(event);
        });
        arrivals.send(chain);
        assertDoesNotThrow(() -> arrivals.send(chain));
    }

    private static Chain chain(Consumer<HopEvent> enqueue) {
        return new Chain() {

            @Override
            public void enqueue(HopEvent event) {
                enqueue.accept(event);
            }

            @Override
            public void close() {
                // It has no threads.
            }
        };
    }
}
