package dev.sluice.demultiplexers.operation;

import static dev.sluice.demultiplexers.operation.CompletionLine.NONE;

import dev.sluice.demultiplexer.Completions;
import java.util.Arrays;

/**
 * The queue that several threads collect from. Whoever gets completions of a handle holds it: until it is released,
 * what else comes of the handle waits in a line of its own. When it is released, its line goes ahead of all that has
 * arrived since, and whoever comes next takes hold of it.
 */
final class SharedCompletionQueue extends CompletionQueue {

    // A completion at each place; those that are free lead to one another.
    private NativeOperation[] operations = new NativeOperation[64];
    private long[] results = new long[64];
    private Object[] resources = new Object[64];
    private boolean[] last = new boolean[64];
    private int[] next = new int[64];
    private int free = NONE;
    private int used;

    /** What is not known to be of a held handle. */
    private final CompletionLine arrived = new CompletionLine();
    private CompletionLine firstReleased;
    private CompletionLine lastReleased;

    @Override
    boolean isEmpty() {
        return arrived.isEmpty() && firstReleased == null;
    }

    @Override
    void add(NativeOperation operation, long result, Object resource, boolean isLast) {
        int place = takePlace();
        operations[place] = operation;
        results[place] = result;
        resources[place] = resource;
        last[place] = isLast;
        CompletionLine line = line(place);
        if (line != null && line.holder != null && line.arrived == 0) {
            // Nobody needs to be woken up for what only the holder will get.
            append(line, place);
        } else {
            append(arrived, place);
            if (line != null) {
                line.arrived++;
            }
        }
    }

    /** {@return the line of the handle that the completion is of, or null} */
    private CompletionLine line(int place) {
        HandleAssociation association = operations[place].handle();
        return association == null ? null : association.completions();
    }

    private int takePlace() {
        if (free != NONE) {
            int place = free;
            free = next[place];
            return place;
        }
        if (used == results.length) {
            operations = Arrays.copyOf(operations, used * 2);
            results = Arrays.copyOf(results, used * 2);
            resources = Arrays.copyOf(resources, used * 2);
            last = Arrays.copyOf(last, used * 2);
            next = Arrays.copyOf(next, used * 2);
        }
        return used++;
    }

    private void append(CompletionLine line, int place) {
        next[place] = NONE;
        if (line.isEmpty()) {
            line.first = place;
        } else {
            next[line.last] = place;
        }
        line.last = place;
    }

    private int removeFirst(CompletionLine line) {
        int place = line.first;
        line.first = next[place];
        return place;
    }

    @Override
    void collect(Completions completions) {
        HoldingCompletions room = (HoldingCompletions) completions;
        while (!room.isFull() && !isEmpty()) {
            if (firstReleased != null) {
                collect(takeReleased(), room);
            } else {
                collectArrived(room);
            }
        }
    }

    /** What there is no room for stays with the holder. */
    private void collect(CompletionLine line, HoldingCompletions room) {
        room.hold(line);
        while (!line.isEmpty() && !room.isFull()) {
            handOver(room, removeFirst(line));
        }
    }

    private void collectArrived(HoldingCompletions room) {
        int place = removeFirst(arrived);
        CompletionLine line = line(place);
        if (line == null) {
            handOver(room, place);
            return;
        }
        line.arrived--;
        if (line.holder == null) {
            room.hold(line);
        }
        if (line.holder == room) {
            handOver(room, place);
        } else {
            append(line, place);
        }
    }

    private void handOver(HoldingCompletions room, int place) {
        handOver(room, operations[place], results[place], resources[place], last[place]);
        giveBack(place);
    }

    private void giveBack(int place) {
        operations[place] = null;
        resources[place] = null;
        next[place] = free;
        free = place;
    }

    /** Lets others have the completions of the handles that somebody holds. */
    void release(HoldingCompletions room) {
        CompletionLine line;
        while ((line = room.letGo()) != null) {
            if (!line.isEmpty()) {
                addReleased(line);
            }
        }
    }

    private void addReleased(CompletionLine line) {
        if (firstReleased == null) {
            firstReleased = line;
        } else {
            lastReleased.nextReleased = line;
        }
        lastReleased = line;
    }

    private CompletionLine takeReleased() {
        CompletionLine line = firstReleased;
        firstReleased = line.nextReleased;
        line.nextReleased = null;
        return line;
    }

    /** Drops also what somebody keeps. */
    @Override
    void discard() {
        while (firstReleased != null) {
            takeReleased();
        }
        arrived.first = NONE;
        for (int place = 0; place < used; place++) {
            NativeOperation operation = operations[place];
            if (operation != null) {
                CompletionLine line = line(place);
                if (line != null) {
                    line.first = NONE;
                    line.arrived = 0;
                }
                Object resource = resources[place];
                giveBack(place);
                drop(operation, resource, last[place]);
            }
        }
    }
}
