package dev.sluice.demultiplexer.handleset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The descriptors that Unix systems wake a waiter by, of which Linux has all. */
@EnabledOnOs(OS.LINUX)
class WakeUpTest extends LeakChecked {

    /** A kind of descriptor. */
    enum Kind {
        EVENT_FD(Platform.Os.LINUX),
        PIPE(Platform.Os.FREEBSD);

        private final Platform.Os os;

        Kind(Platform.Os os) {
            this.os = os;
        }

        WakeUpDescriptor open() throws SystemCallException {
            Binding real = Bindings.current();
            Binding binding = new Binding(name(), os, real.memory(), real.posix(), real.linux(), null, null);
            return WakeUpDescriptor.open(binding, "test");
        }
    }

    private boolean isReadable(WakeUp wakeUp) {
        try (MemoryBlock pollfd = Bindings.current().memory().allocate(Pollfd.SIZE)) {
            Pollfd.set(pollfd.buffer(), 0, (int) wakeUp.descriptor(), PollConstants.POLLIN);
            return Bindings.current().posix().poll(pollfd.address(), 1, 0) == 1;
        }
    }

    @ParameterizedTest
    @EnumSource
    void isReadableFromTheSignalUntilItIsDrained(Kind kind) throws SystemCallException {
        try (WakeUp wakeUp = new WakeUp(kind.open())) {
            for (int round = 0; round < 3; round++) {
                assertFalse(isReadable(wakeUp));
                wakeUp.signal();
                wakeUp.signal();
                assertTrue(isReadable(wakeUp));
                wakeUp.drain();
            }
            assertFalse(isReadable(wakeUp));
        }
    }

    @ParameterizedTest
    @EnumSource
    void drainingNothingDoesNotBlock(Kind kind) throws SystemCallException {
        try (WakeUp wakeUp = new WakeUp(kind.open())) {
            wakeUp.drain();
            wakeUp.signal();
            assertTrue(isReadable(wakeUp));
        }
    }

    /** As often as would fill whatever signals go through. */
    @ParameterizedTest
    @EnumSource
    void signallingNeverBlocks(Kind kind) throws SystemCallException {
        WakeUpDescriptor descriptor = kind.open();
        try (WakeUp wakeUp = new WakeUp(descriptor);
                MemoryBlock one = Bindings.current().memory().allocate(Long.BYTES)) {
            one.buffer().putLong(0, Long.MAX_VALUE - 1);
            long result;
            do {
                result = descriptor.write(one.address());
            } while (result >= 0);
            assertTrue(Errno.EAGAIN.is(result), () -> "written until EAGAIN");
            wakeUp.signal();
            assertTrue(isReadable(wakeUp));
        }
    }

    /** A descriptor of which a signal of the system interrupts every other call. */
    private static WakeUpDescriptor interrupted(WakeUpDescriptor real) {
        return new WakeUpDescriptor("test") {
            private boolean interrupts;

            private boolean isInterrupted() {
                interrupts = !interrupts;
                return interrupts;
            }

            @Override
            long readable() {
                return real.readable();
            }

            @Override
            long write(long address) {
                return isInterrupted() ? -Errno.EINTR.number() : real.write(address);
            }

            @Override
            String writeCall() {
                return real.writeCall();
            }

            @Override
            long read(long address) {
                return isInterrupted() ? -Errno.EINTR.number() : real.read(address);
            }

            @Override
            void close() {
                real.close();
            }
        };
    }

    @Test
    void interruptedCallsAreRepeated() throws SystemCallException {
        try (WakeUp wakeUp = new WakeUp(interrupted(Kind.EVENT_FD.open()))) {
            wakeUp.signal();
            assertTrue(isReadable(wakeUp));
            wakeUp.drain();
            assertFalse(isReadable(wakeUp));
        }
    }

    @ParameterizedTest
    @EnumSource
    void signallingAfterTheCloseDoesNothing(Kind kind) throws SystemCallException {
        WakeUp wakeUp = new WakeUp(kind.open());
        wakeUp.close();
        wakeUp.signal();
        wakeUp.signal();
    }

    @Test
    void onlyLinuxHasWhatTheKernelDrains() throws SystemCallException {
        WakeUp.readByKernel("test").close();
        Binding real = Bindings.current();
        Bindings.use(new Binding("other", Platform.Os.FREEBSD, real.memory(), real.posix(), null, null, null));
        try {
            assertThrows(UnsupportedOperationException.class, () -> WakeUp.readByKernel("test"));
        } finally {
            Bindings.use(real);
        }
    }
}
