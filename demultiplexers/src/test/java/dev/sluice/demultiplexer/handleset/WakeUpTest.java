package dev.sluice.demultiplexer.handleset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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

        WakeUp open() throws SystemCallException {
            return open(Bindings.current());
        }

        WakeUp open(Binding real) throws SystemCallException {
            Binding binding = new Binding(name(), os, real.memory(), real.posix(), real.linux(), bsd(real.linux()),
                    null);
            return new WakeUp(binding, "test", false);
        }

        private static Bsd bsd(Linux linux) {
            return (Bsd) Proxy.newProxyInstance(Bsd.class.getClassLoader(), new Class<?>[] {Bsd.class},
                    (proxy, method, arguments) -> method.getName().equals("pipe2")
                            ? linux.pipe2((long) arguments[0], (int) arguments[1])
                            : -Errno.ENOSYS.number());
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
        try (WakeUp wakeUp = kind.open()) {
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
        try (WakeUp wakeUp = kind.open()) {
            wakeUp.drain();
            wakeUp.signal();
            assertTrue(isReadable(wakeUp));
        }
    }

    /** As often as would fill whatever signals go through. */
    @ParameterizedTest
    @EnumSource
    void signallingNeverBlocks(Kind kind) throws SystemCallException {
        try (WakeUp wakeUp = kind.open();
                MemoryBlock one = Bindings.current().memory().allocate(Long.BYTES)) {
            one.buffer().putLong(0, Long.MAX_VALUE - 1);
            long result;
            do {
                result = wakeUp.write(one.address());
            } while (result >= 0);
            assertTrue(Errno.EAGAIN.is(result), () -> "written until EAGAIN");
            wakeUp.signal();
            assertTrue(isReadable(wakeUp));
        }
    }

    /** Calls of which a signal of the system interrupts every other one. */
    private static Binding interrupted() {
        AtomicBoolean interrupts = new AtomicBoolean();
        return Bindings.current().decorated("interrupted", new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family != Posix.class ? calls : family.cast(Proxy.newProxyInstance(
                        family.getClassLoader(), new Class<?>[] {family}, (proxy, method, arguments) -> {
                            boolean transfers = Set.of("read", "write").contains(method.getName());
                            if (transfers && !interrupts.getAndSet(!interrupts.get())) {
                                return -(long) Errno.EINTR.number();
                            }
                            try {
                                return method.invoke(calls, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
            }
        });
    }

    @Test
    void interruptedCallsAreRepeated() throws SystemCallException {
        try (WakeUp wakeUp = Kind.EVENT_FD.open(interrupted())) {
            wakeUp.signal();
            assertTrue(isReadable(wakeUp));
            wakeUp.drain();
            assertFalse(isReadable(wakeUp));
        }
    }

    @ParameterizedTest
    @EnumSource
    void signallingAfterTheCloseDoesNothing(Kind kind) throws SystemCallException {
        WakeUp wakeUp = kind.open();
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
