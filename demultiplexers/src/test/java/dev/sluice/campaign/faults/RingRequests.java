package dev.sluice.campaign.faults;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringConstants;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringParams;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.PollConstants;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The requests to io_uring as calls that may go wrong. A request that is to fail without having done anything is
 * replaced by one that does nothing, and gets its result when that has completed; one that is to move less is cut; one
 * that is to end early is made to ask for one completion only. So what the kernel does is what it says.
 */
final class RingRequests {

    private static final long WAKE_UP = -1;
    private static final long NO_OPERATION = -2;
    private static final Map<Integer, String> NAMES = names();

    private final Memory memory;
    private final Function<String, InjectedError> next;
    private final Map<Integer, Queues> rings = new ConcurrentHashMap<>();

    /**
     * Creates an instance for a binding.
     *
     * @param memory of the binding
     * @param next   counts a request and returns its injected, or null
     */
    RingRequests(Memory memory, Function<String, InjectedError> next) {
        this.memory = memory;
        this.next = next;
    }

    private static Map<Integer, String> names() {
        Map<Integer, String> names = new HashMap<>();
        try {
            for (Field field : IoUringConstants.class.getFields()) {
                if (field.getName().startsWith("IORING_OP_")) {
                    names.put(field.getInt(null), field.getName());
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return names;
    }

    /** Looks at what a call is about to submit. */
    void before(String function, Object[] arguments) {
        switch (function) {
            case "io_uring_enter" -> {
                Queues queues = rings.get((Integer) arguments[0]);
                if (queues != null && queues.areMapped()) {
                    queues.submit();
                }
            }
            case "munmap" -> rings.values().forEach(queues -> queues.unmapped((Long) arguments[0]));
            // JNA leaves the unmapping to the garbage collector, but a closed ring is never entered.
            case "close" -> {
                Queues queues = rings.remove((Integer) arguments[0]);
                if (queues != null) {
                    queues.unmapped();
                }
            }
            default -> { }
        }
    }

    /** Looks at what a call has brought. */
    void after(String function, Object[] arguments, Object result) {
        switch (function) {
            case "io_uring_setup" -> {
                if ((Integer) result >= 0) {
                    try (MemoryBlock parameters = memory.wrap((Long) arguments[1], IoUringParams.SIZE, () -> { })) {
                        rings.put((Integer) result, new Queues(parameters.buffer()));
                    }
                }
            }
            case "mmap" -> {
                Queues queues = rings.get((Integer) arguments[4]);
                boolean shared = ((Integer) arguments[3] & FileConstants.MAP_SHARED) != 0;
                if (queues != null && shared && (Long) result >= 0) {
                    MemoryBlock block = memory.wrap((Long) result, Math.toIntExact((Long) arguments[1]), () -> { });
                    queues.mapped(block, (Long) arguments[5]);
                }
            }
            case "io_uring_enter" -> {
                Queues queues = rings.get((Integer) arguments[0]);
                if (queues != null && queues.areMapped()) {
                    queues.complete();
                }
            }
            default -> { }
        }
    }

    /** The two queues of an instance. */
    private final class Queues {

        private final int submissionTailAt;
        private final int submissionMaskAt;
        private final int completionHeadAt;
        private final int completionTailAt;
        private final int completionMaskAt;
        private final int completionsAt;
        private MemoryBlock indices;
        private MemoryBlock entries;
        /** How far the submissions have been looked at, and the completions. */
        private int submitted;
        private int completed;
        /** The results of the requests that have been replaced, by user data. */
        private final Map<Long, Integer> results = new HashMap<>();

        Queues(ByteBuffer parameters) {
            submissionTailAt = parameters.getInt(IoUringParams.SQ_TAIL);
            submissionMaskAt = parameters.getInt(IoUringParams.SQ_RING_MASK);
            completionHeadAt = parameters.getInt(IoUringParams.CQ_HEAD);
            completionTailAt = parameters.getInt(IoUringParams.CQ_TAIL);
            completionMaskAt = parameters.getInt(IoUringParams.CQ_RING_MASK);
            completionsAt = parameters.getInt(IoUringParams.CQ_CQES);
        }

        void mapped(MemoryBlock block, long offset) {
            if (offset == IoUringConstants.IORING_OFF_SQES) {
                entries = block;
            } else {
                indices = block;
            }
        }

        void unmapped() {
            if (entries != null) {
                entries.close();
                entries = null;
            }
            if (indices != null) {
                indices.close();
                indices = null;
            }
        }

        void unmapped(long address) {
            if (entries != null && entries.address() == address) {
                entries.close();
                entries = null;
            }
            if (indices != null && indices.address() == address) {
                indices.close();
                indices = null;
            }
        }

        boolean areMapped() {
            return indices != null && entries != null;
        }

        void submit() {
            int tail = indices.buffer().getInt(submissionTailAt);
            int mask = indices.buffer().getInt(submissionMaskAt);
            for (; submitted != tail; submitted++) {
                request((submitted & mask) * IoUringSqe.SIZE);
            }
        }

        private void request(int at) {
            ByteBuffer sqes = entries.buffer();
            int opcode = sqes.get(at + IoUringSqe.OPCODE);
            long userData = sqes.getLong(at + IoUringSqe.USER_DATA);
            if (userData == NO_OPERATION) {
                return;
            }
            InjectedError injected = next.apply(name(sqes, at));
            if (injected == null) {
                return;
            }
            switch (injected.kind()) {
                case FAILS -> replace(at, userData, (int) injected.result());
                case FAILS_AFTERWARDS -> results.put(userData, (int) injected.result());
                case SPURIOUS -> replace(at, userData,
                        sqes.getInt(at + IoUringSqe.OP_FLAGS) & (PollConstants.POLLIN | PollConstants.POLLOUT));
                case SHORT -> sqes.putInt(at + IoUringSqe.LEN, 1);
                case ONCE -> sqes.putShort(at + IoUringSqe.IOPRIO, (short) 0);
                default -> throw new IllegalStateException(injected + " of " + NAMES.get(opcode));
            }
        }

        private String name(ByteBuffer sqes, int at) {
            int opcode = sqes.get(at + IoUringSqe.OPCODE);
            int flags = sqes.getShort(at + IoUringSqe.IOPRIO);
            boolean multishot = switch (opcode) {
                case IoUringConstants.IORING_OP_RECV -> (flags & IoUringConstants.IORING_RECV_MULTISHOT) != 0;
                case IoUringConstants.IORING_OP_ACCEPT -> (flags & IoUringConstants.IORING_ACCEPT_MULTISHOT) != 0;
                default -> false;
            };
            boolean ofStream = opcode == IoUringConstants.IORING_OP_SENDMSG
                    && !hasName(sqes.getLong(at + IoUringSqe.ADDR));
            return NAMES.get(opcode) + (sqes.getLong(at + IoUringSqe.USER_DATA) == WAKE_UP ? " wake-up"
                    : multishot ? " multishot" : ofStream ? " of a stream" : "");
        }

        private boolean hasName(long message) {
            try (MemoryBlock header = memory.wrap(message, Msghdr.SIZE, () -> { })) {
                return header.buffer().getLong(Msghdr.NAME) != 0;
            }
        }

        private void replace(int at, long userData, int result) {
            entries.buffer().put(at, new byte[IoUringSqe.SIZE])
                    .put(at + IoUringSqe.OPCODE, (byte) IoUringConstants.IORING_OP_NOP)
                    .putInt(at + IoUringSqe.FD, -1).putLong(at + IoUringSqe.USER_DATA, userData);
            results.put(userData, result);
        }

        void complete() {
            ByteBuffer ring = indices.buffer();
            int tail = ring.getInt(completionTailAt);
            int head = ring.getInt(completionHeadAt);
            if (head - completed > 0) {
                completed = head;
            }
            for (; completed != tail; completed++) {
                Integer result = results.remove(ring.getLong(place(completed) + IoUringCqe.USER_DATA));
                if (result != null) {
                    ring.putInt(place(completed) + IoUringCqe.RES, result);
                }
            }
            if (tail - head >= 2) {
                swap(place(tail - 2), place(tail - 1));
            }
        }

        private int place(int index) {
            return completionsAt + (index & indices.buffer().getInt(completionMaskAt)) * IoUringCqe.SIZE;
        }

        private void swap(int one, int other) {
            ByteBuffer ring = indices.buffer();
            boolean independent = ring.getLong(one + IoUringCqe.USER_DATA)
                    != ring.getLong(other + IoUringCqe.USER_DATA);
            if (independent && next.apply("completions") != null) {
                for (int i = 0; i < IoUringCqe.SIZE; i += Long.BYTES) {
                    long word = ring.getLong(one + i);
                    ring.putLong(one + i, ring.getLong(other + i));
                    ring.putLong(other + i, word);
                }
            }
        }
    }
}
