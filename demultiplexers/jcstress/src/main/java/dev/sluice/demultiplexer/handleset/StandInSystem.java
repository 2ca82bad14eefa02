package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Linux;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A Linux that has eventfds and nothing else, and memory that only the virtual machine sees. */
final class StandInSystem {

    private static final Map<Integer, StandInEvent> EVENTS = new ConcurrentHashMap<>();
    private static final AtomicInteger DESCRIPTORS = new AtomicInteger();

    private static final Memory MEMORY = new Memory() {
        @Override
        public MemoryBlock allocate(int size) {
            return new MemoryBlock(ByteBuffer.allocate(size), 0, () -> { });
        }

        @Override
        public ByteBuffer allocateBuffer(int size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MemoryBlock wrap(long address, int size, Runnable release) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long address(ByteBuffer direct) {
            throw new UnsupportedOperationException();
        }
    };

    private StandInSystem() {
    }

    /** Makes all calls of this process go to it. */
    static void use() {
        InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
            case "eventfd" -> open();
            case "read" -> EVENTS.get((Integer) arguments[0]).read();
            case "write" -> EVENTS.get((Integer) arguments[0]).write();
            case "close" -> EVENTS.get((Integer) arguments[0]).close();
            case "fcntl" -> 0;
            default -> throw new UnsupportedOperationException(method.getName());
        };
        Bindings.use(new Binding("stand-in", Platform.Os.LINUX, MEMORY, family(Posix.class, calls),
                family(Linux.class, calls), null, null));
    }

    private static <T> T family(Class<T> family, InvocationHandler calls) {
        return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family}, calls));
    }

    /** {@return the descriptor of an eventfd} */
    static int open() {
        int descriptor = DESCRIPTORS.incrementAndGet();
        EVENTS.put(descriptor, new StandInEvent());
        return descriptor;
    }

    /** {@return what lies behind a descriptor, closed or not, until {@link #forget}} */
    static StandInEvent event(long descriptor) {
        return EVENTS.get((int) descriptor);
    }

    /** Forgets a descriptor, which is not used again. */
    static void forget(long descriptor) {
        EVENTS.remove((int) descriptor);
    }
}
