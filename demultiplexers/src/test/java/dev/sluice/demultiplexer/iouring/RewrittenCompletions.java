package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQES;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OFF_SQ_RING;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_ASYNC_CANCEL;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringSqe;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Changes the results of a real ring's completions, or drops completions, before the demultiplexer reads the queue. For
 * one ring, which is opened while this is installed and used by one thread.
 */
final class RewrittenCompletions implements AutoCloseable {

    /** User data that no operation has, and no other request. */
    private static final long NO_OPERATION = -2;

    private interface Change {
        void apply(ByteBuffer queue, int at);
    }

    private record Rewrite(int opcode, Change change) {
    }

    private final Binding real;
    private final List<Rewrite> rewrites = new ArrayList<>();
    private final Map<Long, Integer> opcodes = new HashMap<>();
    private final Map<Integer, Integer> submitted = new HashMap<>();
    private final Map<Integer, Integer> flags = new HashMap<>();
    private final Map<Integer, Integer> entryFlags = new HashMap<>();
    private final Map<Integer, Integer> priorities = new HashMap<>();
    private ByteBuffer parameters;
    private MemoryBlock queues;
    private MemoryBlock entries;
    private int seen;
    private int enters;
    private int maxSubmissions = Integer.MAX_VALUE;
    private boolean refuses;
    private boolean misdirects;

    private RewrittenCompletions(Binding real) {
        this.real = real;
    }

    static RewrittenCompletions install() {
        RewrittenCompletions rewritten = new RewrittenCompletions(Bindings.current());
        Bindings.use(rewritten.real.decorated(rewritten.real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> rewritten.call(calls, method, arguments)));
            }
        }));
        return rewritten;
    }

    /** The next completion of a request of this kind that has no other plan yet gets another result. */
    RewrittenCompletions next(int opcode, IntUnaryOperator result) {
        rewrites.add(new Rewrite(opcode, (queue, at) -> queue.putInt(at + IoUringCqe.RES,
                result.applyAsInt(queue.getInt(at + IoUringCqe.RES)))));
        return this;
    }

    /** The next completion of a request of this kind that has no other plan yet does not come. */
    RewrittenCompletions loseNext(int opcode) {
        rewrites.add(new Rewrite(opcode, (queue, at) -> queue.putLong(at + IoUringCqe.USER_DATA, NO_OPERATION)));
        return this;
    }

    /** The next completion of a request of this kind that has no other plan yet gets another content. */
    RewrittenCompletions replaceNext(int opcode, long userData, int result, int flags) {
        rewrites.add(new Rewrite(opcode, (queue, at) -> queue.putLong(at + IoUringCqe.USER_DATA, userData)
                .putInt(at + IoUringCqe.RES, result).putInt(at + IoUringCqe.FLAGS, flags)));
        return this;
    }

    /** The next cancellation names an operation that the kernel does not have, and so is answered with ENOENT. */
    RewrittenCompletions misdirectNextCancellation() {
        misdirects = true;
        return this;
    }

    /** The next call that submits has the kernel take at most this many requests. */
    void submitAtMost(int count) {
        maxSubmissions = count;
    }

    /** {@return the number of calls that enter the ring} */
    int enters() {
        return enters;
    }

    /** From now on the kernel accepts no requests. */
    void refuseEach() {
        refuses = true;
    }

    /** {@return how many requests of a kind the kernel has been given} */
    int submitted(int opcode) {
        return submitted.getOrDefault(opcode, 0);
    }

    /** {@return the operation's flags in the latest request of a kind, 0 if there was none} */
    int latestFlags(int opcode) {
        return flags.getOrDefault(opcode, 0);
    }

    /** {@return the flags of the entry of the latest request of a kind, such as IOSQE_IO_LINK; 0 if there was none} */
    int latestEntryFlags(int opcode) {
        return entryFlags.getOrDefault(opcode, 0);
    }

    /** {@return the priority, or the flags in its place, in the latest request of a kind, 0 if there was none} */
    int latestPriority(int opcode) {
        return priorities.getOrDefault(opcode, 0);
    }

    private Object call(Object calls, Method method, Object[] arguments) throws Throwable {
        boolean isEnter = method.getName().equals("io_uring_enter");
        if (isEnter && refuses) {
            return -Errno.EAGAIN.number();
        }
        if (isEnter) {
            enters++;
            limitSubmissions(arguments);
            noteSubmissions((Integer) arguments[1]);
        }
        Object result;
        try {
            result = method.invoke(calls, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        switch (method.getName()) {
            case "io_uring_setup" -> parameters = copy((Long) arguments[1]);
            case "mmap" -> mapped((Long) arguments[5], (Long) arguments[1], (Long) result, (Integer) arguments[4]);
            default -> { }
        }
        if (isEnter) {
            rewrite();
        }
        return result;
    }

    /** As a kernel that lacks memory for one more: it takes some, and does not wait. */
    private void limitSubmissions(Object[] arguments) {
        if ((Integer) arguments[1] > maxSubmissions) {
            arguments[1] = maxSubmissions;
            arguments[2] = 0;
            maxSubmissions = Integer.MAX_VALUE;
        }
    }

    private ByteBuffer copy(long address) {
        Memory memory = real.memory();
        try (MemoryBlock block = memory.wrap(address, IoUringParams.SIZE, () -> { })) {
            ByteBuffer copy = ByteBuffer.allocate(IoUringParams.SIZE).order(block.buffer().order());
            return copy.put(0, block.buffer(), 0, IoUringParams.SIZE);
        }
    }

    private void mapped(long offset, long size, long address, int fd) {
        if (fd >= 0 && offset == IORING_OFF_SQ_RING) {
            queues = real.memory().wrap(address, (int) size, () -> { });
        } else if (fd >= 0 && offset == IORING_OFF_SQES) {
            entries = real.memory().wrap(address, (int) size, () -> { });
        }
    }

    private int index(int parameter) {
        return queues.buffer().getInt(parameters.getInt(parameter));
    }

    private void noteSubmissions(int count) {
        int head = index(IoUringParams.SQ_HEAD);
        for (int i = 0; i < count; i++) {
            int at = (head + i & parameters.getInt(IoUringParams.SQ_ENTRIES) - 1) * IoUringSqe.SIZE;
            int opcode = entries.buffer().get(at + IoUringSqe.OPCODE);
            opcodes.put(entries.buffer().getLong(at + IoUringSqe.USER_DATA), opcode);
            submitted.merge(opcode, 1, Integer::sum);
            entryFlags.put(opcode, (int) entries.buffer().get(at + IoUringSqe.FLAGS));
            flags.put(opcode, entries.buffer().getInt(at + IoUringSqe.OP_FLAGS));
            priorities.put(opcode, (int) entries.buffer().getShort(at + IoUringSqe.IOPRIO));
            if (misdirects && opcode == IORING_OP_ASYNC_CANCEL) {
                entries.buffer().putLong(at + IoUringSqe.ADDR, NO_OPERATION);
                misdirects = false;
            }
        }
    }

    private void rewrite() {
        for (int tail = index(IoUringParams.CQ_TAIL); seen != tail; seen++) {
            int at = parameters.getInt(IoUringParams.CQ_CQES)
                    + (seen & parameters.getInt(IoUringParams.CQ_ENTRIES) - 1) * IoUringCqe.SIZE;
            rewrite(queues.buffer(), at);
        }
    }

    private void rewrite(ByteBuffer queue, int at) {
        int opcode = opcodes.getOrDefault(queue.getLong(at + IoUringCqe.USER_DATA), -1);
        for (Iterator<Rewrite> plans = rewrites.iterator(); plans.hasNext();) {
            Rewrite plan = plans.next();
            if (plan.opcode() == opcode) {
                // First, because a change may plan another one.
                plans.remove();
                plan.change().apply(queue, at);
                return;
            }
        }
    }

    @Override
    public void close() {
        Bindings.use(real);
        if (queues != null) {
            queues.close();
            entries.close();
        }
    }
}
