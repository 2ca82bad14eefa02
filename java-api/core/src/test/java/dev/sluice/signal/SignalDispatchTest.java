package dev.sluice.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.testing.Depth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Which handlers are called for a signal while handlers change. No signal is sent here. */
@Tag(Depth.IN_QUICK)
@EnabledOnOs({OS.LINUX, OS.MAC})
class SignalDispatchTest {

    /** Ignored by default. */
    private static final String SIGNAL = "WINCH";

    private final Object before = VirtualMachineSignals.handler(() -> { });

    private boolean isRestored() {
        Object current = VirtualMachineSignals.handle(SIGNAL, before);
        VirtualMachineSignals.handle(SIGNAL, current);
        return current == before;
    }

    /** Records whether the old handler is restored, whenever it is checked, as on removal. */
    private final class Receiver implements Runnable {

        final List<Boolean> restored = new ArrayList<>();

        @Override
        public void run() {
        }

        @Override
        public boolean equals(Object other) {
            restored.add(isRestored());
            return this == other;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    @Test
    void theLastReceiverIsRemovedOnceTheOldHandlerIsBack() {
        Object first = VirtualMachineSignals.handle(SIGNAL, before);
        try {
            Receiver one = new Receiver();
            Receiver last = new Receiver();
            SignalDispatch.subscribe(SIGNAL, one);
            SignalDispatch.subscribe(SIGNAL, last);
            SignalDispatch.unsubscribe(SIGNAL, one);
            assertEquals(false, one.restored.contains(true), "another one is there");
            SignalDispatch.unsubscribe(SIGNAL, last);
            assertEquals(true, last.restored.get(last.restored.size() - 1), "there was a time without any");
            assertEquals(true, isRestored());
            SignalDispatch.unsubscribe(SIGNAL, last);
        } finally {
            VirtualMachineSignals.handle(SIGNAL, first);
        }
    }
}
