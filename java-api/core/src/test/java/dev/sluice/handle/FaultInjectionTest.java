package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link FaultInjection} itself: a fault that never occurs would prove nothing. */
@Tag(Depth.IN_QUICK)
class FaultInjectionTest extends LeakChecked {

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void isInUseUntilItIsClosed() throws Exception {
        Binding real = Bindings.current();
        try (FaultInjection faults = FaultInjection.install()) {
            assertNotSame(real, Bindings.current());
            assertEquals(real.name(), Bindings.current().name());
            assertSame(real.memory(), Bindings.current().memory());
            Pipe pipe = own(Pipe.open());
            faults.failEach("write", Errno.EIO);
            assertThrows(SystemCallException.class, () -> pipe.send(Bytes.heap("x")));
            faults.heal();
            assertEquals(1, pipe.send(Bytes.heap("x")));
        }
        assertSame(real, Bindings.current());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void countsFromTheNextCall() throws Exception {
        try (FaultInjection faults = FaultInjection.install();
             Pipe pipe = Pipe.open()) {
            ByteBuffer one = ByteBuffer.allocate(1);
            pipe.send(one.clear());
            faults.failNth("write", 2, Errno.EIO);
            pipe.send(one.clear());
            assertThrows(SystemCallException.class, () -> pipe.send(one.clear()));
            pipe.send(one.clear());
            assertEquals(4, faults.calls("write"));
            assertEquals(0, faults.calls("read"));
            assertEquals(1, faults.calls("pipe2"));
        }
    }

    @Test
    void unknownFunctionIsAMistake() {
        try (FaultInjection faults = FaultInjection.install()) {
            assertThrows(IllegalArgumentException.class, () -> faults.failEach("rite", Errno.EIO));
            assertThrows(IllegalArgumentException.class, () -> faults.calls("rite"));
        }
    }
}
