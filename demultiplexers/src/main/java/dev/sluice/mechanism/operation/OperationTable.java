package dev.sluice.mechanism.operation;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The operations between their acceptance and their completion, each at a place. It keeps them and their buffers
 * reachable while only the kernel knows of them.
 */
final class OperationTable {

    private OperationSlot[] operations = new OperationSlot[64];
    private int[] generations = new int[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    void add(OperationSlot operation) {
        if (freeCount == 0 && used == operations.length) {
            // All or none: there may be memory for the first of them only.
            OperationSlot[] moreOperations = Arrays.copyOf(operations, used * 2);
            int[] moreGenerations = Arrays.copyOf(generations, used * 2);
            free = Arrays.copyOf(free, used * 2);
            operations = moreOperations;
            generations = moreGenerations;
        }
        int place = freeCount > 0 ? free[--freeCount] : used++;
        operations[place] = operation;
        operation.key = (long) generations[place] << Integer.SIZE | place;
    }

    void remove(OperationSlot operation) {
        int place = (int) operation.key;
        operations[place] = null;
        // Never negative, so that negative numbers are free for other kinds of user data.
        generations[place] = generations[place] + 1 & Integer.MAX_VALUE;
        free[freeCount++] = place;
    }

    /** {@return the operation that was given the key, null if it has completed or never existed} */
    OperationSlot get(long key) {
        int place = (int) key;
        boolean given = place >= 0 && place < used && generations[place] == (int) (key >>> Integer.SIZE);
        return given ? operations[place] : null;
    }

    boolean isEmpty() {
        return freeCount == used;
    }

    /** Hands out all operations; they may be removed meanwhile. */
    void forEach(Consumer<OperationSlot> action) {
        for (int place = 0; place < used; place++) {
            if (operations[place] != null) {
                action.accept(operations[place]);
            }
        }
    }
}
