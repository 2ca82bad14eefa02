package dev.sluice.campaign;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringParams;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The instances of io_uring whose calls pass through a decorated binding.
 *
 * @param <R> what is known of each
 */
public final class ObservedRings<R extends ObservedRing> {

    private final Memory memory;
    private final Function<ByteBuffer, R> opened;
    private final Map<Integer, R> rings = new ConcurrentHashMap<>();

    /**
     * Creates an instance for a binding.
     *
     * @param memory of the binding
     * @param opened creates what is known of an instance, given its parameters
     */
    public ObservedRings(Memory memory, Function<ByteBuffer, R> opened) {
        this.memory = memory;
        this.opened = opened;
    }

    /** Looks at a call before it is made. */
    public void before(String function, Object[] arguments) {
        switch (function) {
            case "io_uring_enter" -> {
                R ring = rings.get((Integer) arguments[0]);
                if (ring != null && ring.isMapped()) {
                    ring.entering();
                }
            }
            case "munmap" -> rings.values().forEach(ring -> ring.unmapped((Long) arguments[0]));
            // JNA leaves the unmapping to the garbage collector, but a closed ring is never entered.
            case "close" -> {
                R ring = rings.remove((Integer) arguments[0]);
                if (ring != null) {
                    ring.unmapped();
                }
            }
            default -> { }
        }
    }

    /** Looks at a call that has returned. */
    public void after(String function, Object[] arguments, Object result) {
        switch (function) {
            case "io_uring_setup" -> {
                if ((Integer) result >= 0) {
                    try (MemoryBlock parameters = memory.wrap((Long) arguments[1], IoUringParams.SIZE, () -> { })) {
                        rings.put((Integer) result, opened.apply(parameters.buffer()));
                    }
                }
            }
            case "mmap" -> {
                R ring = rings.get((Integer) arguments[4]);
                boolean shared = ((Integer) arguments[3] & FileConstants.MAP_SHARED) != 0;
                if (ring != null && shared && (Long) result >= 0) {
                    MemoryBlock block = memory.wrap((Long) result, Math.toIntExact((Long) arguments[1]), () -> { });
                    ring.mapped(block, (Long) arguments[5]);
                }
            }
            case "io_uring_enter" -> {
                R ring = rings.get((Integer) arguments[0]);
                if (ring != null && ring.isMapped()) {
                    ring.entered();
                }
            }
            default -> { }
        }
    }

    /** Passes all rings whose queues are mapped to a consumer. */
    public void forEach(Consumer<R> consumer) {
        rings.values().stream().filter(ObservedRing::isMapped).forEach(consumer);
    }
}
