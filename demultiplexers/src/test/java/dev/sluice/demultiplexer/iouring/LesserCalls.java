package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_ACCEPT_MULTISHOT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQES;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQ_RING;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ACCEPT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RECVMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SENDMSG;
import static dev.sluice.calls.layout.IoUringConstants.IORING_RECV_MULTISHOT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_PROBE;
import static dev.sluice.calls.layout.IoUringConstants.IOSQE_BUFFER_SELECT;
import static dev.sluice.calls.layout.IoUringConstants.IO_URING_OP_SUPPORTED;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringProbe;
import dev.sluice.calls.layout.IoUringProbeOp;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.iouring.LesserKernel.Habit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The real calls, as a {@link LesserKernel} would answer them. The kernel itself refuses what it is not to know: a
 * request that is submitted becomes one that no kernel has.
 */
final class LesserCalls {

    private static final byte UNKNOWN_OPERATION = (byte) 255;

    private static final int MSG_DONTWAIT = 0x40;
    private static final int NO_GROUP = 4711;
    // Since Linux 6.10, as is the feature; kernels before 5.17 did so for each non-blocking socket.
    private static final int IORING_ACCEPT_DONTWAIT = 1 << 1;
    private static final int IORING_FEAT_RECVSEND_BUNDLE = 1 << 14;

    private final LesserKernel kernel;
    private final Binding real;
    private final Binding binding;
    private final Map<Integer, Queue> queues = new ConcurrentHashMap<>();

    LesserCalls(LesserKernel kernel, Binding real) {
        this.kernel = kernel;
        this.real = real;
        binding = real.decorated(real.name(), this::decorated);
    }

    Binding binding() {
        return binding;
    }

    private <T> T decorated(Class<T> family, T calls) {
        return family == Linux.class || family == Posix.class
                ? family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> call(calls, method, arguments)))
                : calls;
    }

    private Object call(Object calls, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "io_uring_setup" -> setUp((int) arguments[0], (long) arguments[1]);
            case "io_uring_register" -> register((int) arguments[0], (int) arguments[1], (long) arguments[2],
                    (int) arguments[3]);
            case "io_uring_enter" -> {
                Queue queue = queues.get((int) arguments[0]);
                if (queue != null) {
                    queue.spoil((int) arguments[1]);
                }
                yield reflect(calls, method, arguments);
            }
            case "mmap" -> {
                long address = (long) reflect(calls, method, arguments);
                Queue queue = queues.get((int) arguments[4]);
                if (queue != null && address >= 0) {
                    queue.mapped(address, (int) (long) arguments[1], (long) arguments[5]);
                }
                yield address;
            }
            case "close" -> {
                Queue queue = queues.remove((int) arguments[0]);
                if (queue != null) {
                    queue.close();
                }
                yield reflect(calls, method, arguments);
            }
            default -> reflect(calls, method, arguments);
        };
    }

    private static Object reflect(Object calls, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(calls, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private int setUp(int entries, long parameters) {
        try (MemoryBlock block = real.memory().wrap(parameters, IoUringParams.SIZE, () -> { })) {
            ByteBuffer memory = block.buffer();
            if ((memory.getInt(IoUringParams.FLAGS) & ~kernel.setUpFlags()) != 0) {
                return -Errno.EINVAL.number();
            }
            int fd = real.linux().io_uring_setup(entries, parameters);
            if (fd >= 0) {
                int features = memory.getInt(IoUringParams.FEATURES);
                memory.putInt(IoUringParams.FEATURES, features & kernel.features());
                queues.put(fd, new Queue(memory, (features & IORING_FEAT_RECVSEND_BUNDLE) != 0));
            }
            return fd;
        }
    }

    private int register(int fd, int command, long argument, int count) {
        if (!kernel.registrations().get(command)) {
            return -Errno.EINVAL.number();
        }
        int result = real.linux().io_uring_register(fd, command, argument, count);
        if (result >= 0 && command == IORING_REGISTER_PROBE) {
            int size = IoUringProbe.SIZE + count * IoUringProbeOp.SIZE;
            try (MemoryBlock probe = real.memory().wrap(argument, size, () -> { })) {
                for (int operation = 0; operation < count; operation++) {
                    forget(probe.buffer(), operation);
                }
            }
        }
        return result;
    }

    private void forget(ByteBuffer probe, int operation) {
        int flags = IoUringProbe.OPS + operation * IoUringProbeOp.SIZE + IoUringProbeOp.FLAGS;
        if (!kernel.probed().get(operation)) {
            probe.putShort(flags, (short) (probe.getShort(flags) & ~IO_URING_OP_SUPPORTED));
        }
    }

    /** The submission queue of one ring. */
    private final class Queue {

        private final int entries;
        private final int headAt;
        private final boolean acceptsWithoutWaiting;
        private MemoryBlock ring;
        private MemoryBlock submissions;

        Queue(ByteBuffer parameters, boolean acceptsWithoutWaiting) {
            entries = parameters.getInt(IoUringParams.SQ_ENTRIES);
            headAt = parameters.getInt(IoUringParams.SQ_HEAD);
            this.acceptsWithoutWaiting = acceptsWithoutWaiting;
        }

        void mapped(long address, int size, long offset) {
            if (offset == IORING_OFF_SQ_RING) {
                ring = real.memory().wrap(address, size, () -> { });
            } else if (offset == IORING_OFF_SQES) {
                submissions = real.memory().wrap(address, size, () -> { });
            }
        }

        void close() {
            if (ring != null) {
                ring.close();
            }
            if (submissions != null) {
                submissions.close();
            }
        }

        /** Changes what is about to be submitted. Entry and index are one and the same, as {@link Ring} has it. */
        void spoil(int count) {
            if (submissions == null) {
                return;
            }
            int head = ring.buffer().getInt(headAt);
            for (int i = 0; i < count; i++) {
                spoilEntry((head + i & entries - 1) * IoUringSqe.SIZE);
            }
        }

        private void spoilEntry(int at) {
            ByteBuffer memory = submissions.buffer();
            int operation = Byte.toUnsignedInt(memory.get(at + IoUringSqe.OPCODE));
            int options = memory.getShort(at + IoUringSqe.IOPRIO);
            if (!kernel.operations().get(operation)
                    || operation == IORING_OP_ACCEPT && (options & IORING_ACCEPT_MULTISHOT) != 0
                            && !kernel.has(Habit.MULTISHOT_ACCEPT)
                    || operation == IORING_OP_RECV && (options & IORING_RECV_MULTISHOT) != 0
                            && !kernel.has(Habit.MULTISHOT_RECEIVE)) {
                memory.put(at + IoUringSqe.OPCODE, UNKNOWN_OPERATION);
                return;
            }
            switch (operation) {
                case IORING_OP_ACCEPT -> {
                    if (!kernel.has(Habit.WAITS_FOR_NON_BLOCKING) && acceptsWithoutWaiting) {
                        memory.putShort(at + IoUringSqe.IOPRIO, (short) (options | IORING_ACCEPT_DONTWAIT));
                    }
                }
                case IORING_OP_RECV, IORING_OP_RECVMSG, IORING_OP_SEND, IORING_OP_SENDMSG -> {
                    int flags = memory.getInt(at + IoUringSqe.OP_FLAGS);
                    flags |= kernel.has(Habit.WAITS_FOR_NON_BLOCKING) ? 0 : MSG_DONTWAIT;
                    flags &= kernel.has(Habit.WHOLE_SENDS) ? -1 : ~SocketConstants.MSG_WAITALL;
                    memory.putInt(at + IoUringSqe.OP_FLAGS, flags);
                    if (operation == IORING_OP_RECV && !kernel.has(Habit.RECEIVES)) {
                        // From a group without provided buffers, which fails with ENOBUFS, too.
                        memory.put(at + IoUringSqe.FLAGS, (byte) IOSQE_BUFFER_SELECT);
                        memory.putShort(at + IoUringSqe.BUF_GROUP, (short) NO_GROUP);
                    }
                }
                default -> { }
            }
        }
    }
}
