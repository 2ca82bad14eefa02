package dev.sluice.stages.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag(Depth.IN_QUICK)
class ReceiveStateTest {

    /** In the order of the constants: IDLE, RECEIVING, PAUSING, PAUSED, STOPPING, STOPPED, DISCARDING, and the ends. */
    private static void assertTransition(UnaryOperator<ReceiveState> transition, String expected) {
        assertEquals(expected, String.join(" ", Stream.of(ReceiveState.values()).map(transition).map(Enum::name)
                .toList()));
    }

    @Test
    void transitionsAreThoseOfTheDiagram() {
        assertTransition(ReceiveState::pause,
                "IDLE PAUSING PAUSING PAUSED STOPPING STOPPED DISCARDING INPUT_ENDED CLOSED");
        assertTransition(ReceiveState::stop,
                "STOPPED STOPPING STOPPING STOPPED STOPPING STOPPED DISCARDING INPUT_ENDED CLOSED");
        assertTransition(ReceiveState::discard,
                "DISCARDING DISCARDING DISCARDING DISCARDING DISCARDING DISCARDING DISCARDING INPUT_ENDED CLOSED");
        assertTransition(ReceiveState::completed,
                "IDLE IDLE PAUSED PAUSED STOPPED STOPPED STOPPED INPUT_ENDED CLOSED");
        assertTransition(ReceiveState::cancelled,
                "IDLE STOPPED PAUSED PAUSED STOPPED STOPPED STOPPED INPUT_ENDED CLOSED");
        assertTransition(ReceiveState::inputEnded,
                "IDLE INPUT_ENDED INPUT_ENDED PAUSED INPUT_ENDED STOPPED INPUT_ENDED INPUT_ENDED CLOSED");
        assertTransition(ReceiveState::close,
                "CLOSED RECEIVING PAUSING CLOSED STOPPING CLOSED DISCARDING CLOSED CLOSED");
    }

    @ParameterizedTest
    @EnumSource(ReceiveState.class)
    void onlyACompletionEndsAReceive(ReceiveState state) {
        if (state.isInFlight()) {
            for (ReceiveState next : List.of(state.pause(), state.stop(), state.discard(), state.close())) {
                assertTrue(next.isInFlight(), next::toString);
            }
            for (ReceiveState next : List.of(state.completed(), state.cancelled(), state.inputEnded())) {
                assertFalse(next.isInFlight(), next::toString);
            }
        }
    }

    /** No other transition leads to a receive of the application: the stop and the end of the peer are final. */
    @ParameterizedTest
    @EnumSource(ReceiveState.class)
    void nothingIsReceivedForTheApplicationAfterTheStop(ReceiveState state) {
        Set<ReceiveState> mayStart = EnumSet.of(ReceiveState.IDLE, ReceiveState.PAUSED);
        ReceiveState stopped = state.stop();
        for (ReceiveState next : List.of(stopped, stopped.completed(), stopped.cancelled(), stopped.inputEnded())) {
            assertFalse(mayStart.contains(next), next::toString);
        }
        assertSame(ReceiveState.CLOSED, state.cancelled().close());
    }
}
