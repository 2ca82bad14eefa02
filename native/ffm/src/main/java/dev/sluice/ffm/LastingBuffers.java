package dev.sluice.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The direct buffers whose memory no program can free while a call uses it: those of {@code allocateDirect}, of the
 * global and of automatic arenas, and of this binding. A thread's own arena counts as well, since that thread is inside
 * the call. What is left are shared arenas, which any thread may close.
 *
 * <p>A scope does not say whether its arena can be closed, but those that nobody can close are of classes of their own.
 * For an ordinary buffer the JDK makes the scope for the purpose, which the compiler does not eliminate if it is asked
 * for its class. So the buffers that are asked for again and again are remembered. May be used by any thread.
 */
final class LastingBuffers {

    private static final Class<?> ORDINARY = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(0)).scope().getClass();
    private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();
    private static final Class<?> GLOBAL = Arena.global().scope().getClass();
    private static final Class<?> CONFINED = confined();
    /** If a Java does not tell shared arenas from others, memory is copied without need. */
    private static final Class<?> SHARED = Arena.ofShared().scope().getClass();
    /** The scopes of the binding's own memory, which its owner closes when no call uses it any more. */
    private static final Set<MemorySegment.Scope> OWN = ConcurrentHashMap.newKeySet();

    /** A power of two. */
    private static final int PLACES = 1024;
    /** In how many places a buffer may be. */
    private static final int WAYS = 4;

    // What a thread does not see of these yet, it finds out by itself.
    private final AtomicReferenceArray<WeakReference<ByteBuffer>> known = new AtomicReferenceArray<>(PLACES);
    /** The hash code of the latest one that was asked for in each place, and not known. */
    private final int[] asked = new int[PLACES];

    /** From now on memory of this scope lasts, until it is disowned. */
    static void own(MemorySegment.Scope scope) {
        OWN.add(scope);
    }

    /** The memory of this scope has been freed. */
    static void disown(MemorySegment.Scope scope) {
        OWN.remove(scope);
    }

    /** {@return whether a direct buffer is one of them} */
    boolean contains(ByteBuffer direct) {
        int hash = System.identityHashCode(direct);
        for (int i = 0; i < WAYS; i++) {
            WeakReference<ByteBuffer> each = known.getAcquire(place(hash, i));
            if (each != null && each.refersTo(direct)) {
                return true;
            }
        }
        boolean lasts = lasts(MemorySegment.ofBuffer(direct).scope());
        if (lasts) {
            askedFor(direct, hash);
        }
        return lasts;
    }

    private static int place(int hash, int way) {
        return hash + way & PLACES - 1;
    }

    private static boolean lasts(MemorySegment.Scope scope) {
        Class<?> kind = scope.getClass();
        boolean unshared = kind == ORDINARY || kind == AUTOMATIC || kind == GLOBAL || kind == CONFINED;
        return unshared && kind != SHARED || OWN.contains(scope);
    }

    /** Many are made for one call: only one that is asked for a second time is worth a reference. */
    private void askedFor(ByteBuffer direct, int hash) {
        int first = place(hash, 0);
        if (asked[first] != hash) {
            asked[first] = hash;
            return;
        }
        int free = 0;
        while (free < WAYS - 1 && !isFree(place(hash, free))) {
            free++;
        }
        known.setRelease(place(hash, free), new WeakReference<>(direct));
    }

    private boolean isFree(int place) {
        WeakReference<ByteBuffer> present = known.getAcquire(place);
        return present == null || present.refersTo(null);
    }

    private static Class<?> confined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.scope().getClass();
        }
    }
}
