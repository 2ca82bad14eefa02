package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Completion;
import java.util.ArrayList;
import java.util.function.Consumer;

/**
 * The queue from which several threads collect. A thread that gets completions of a handle holds the handle: until it
 * is released, its further completions wait in a line of their own. When it is released, whoever collects next takes
 * hold of it, unless something has arrived earlier than the line's first completion: or else a handle that always has
 * more would keep all others waiting.
 */
final class SharedCompletionQueue extends CompletionQueue {

    /** The completions not known to belong to a held handle. */
    private final CompletionLine arrived = new CompletionLine();
    private CompletionLine firstReleased;
    private CompletionLine lastReleased;
    private final ArrayList<HoldingCompletions> holders = new ArrayList<>();
    private long arrivals;

    @Override
    boolean isEmpty() {
        return arrived.isEmpty() && firstReleased == null;
    }

    @Override
    void add(CompletionRecord record) {
        record.arrival = arrivals++;
        CompletionLine line = line(record);
        if (line != null && line.holder != null && line.arrived == 0) {
            // No thread needs to be woken up for what only the holder will get.
            line.append(record);
        } else {
            arrived.append(record);
            if (line != null) {
                line.arrived++;
            }
        }
    }

    /** {@return how many have arrived} */
    long arrivals() {
        return arrivals;
    }

    @Override
    void collect(CollectedCompletions anyRoom) {
        HoldingCompletions room = (HoldingCompletions) anyRoom;
        // First of all, because it may fail for lack of memory.
        holders.ensureCapacity(holders.size() + 1);
        while (!room.isFull() && !isEmpty()) {
            if (isReleasedNext()) {
                collect(takeReleased(), room);
            } else {
                collectArrived(room);
            }
        }
    }

    private boolean isReleasedNext() {
        return firstReleased != null
                && (arrived.isEmpty() || firstReleased.firstArrival() < arrived.firstArrival());
    }

    /** Completions that there is no room for stay with the holder. */
    private void collect(CompletionLine line, HoldingCompletions room) {
        hold(line, room);
        while (!line.isEmpty() && !room.isFull()) {
            handOver(line.removeFirst(), room);
        }
    }

    private void collectArrived(HoldingCompletions room) {
        CompletionRecord record = arrived.removeFirst();
        CompletionLine line = line(record);
        if (line == null) {
            handOver(record, room);
            return;
        }
        line.arrived--;
        // A line that waits for a new holder has earlier ones.
        if (line.holder == null && line.isEmpty()) {
            hold(line, room);
        }
        if (line.holder == room) {
            handOver(record, room);
        } else {
            line.append(record);
        }
    }

    private void hold(CompletionLine line, HoldingCompletions room) {
        if (room.held() == null) {
            holders.add(room);
        }
        room.hold(line);
    }

    /** Lets others have the completions of the handles that this room holds. */
    void release(HoldingCompletions room) {
        if (room.held() != null) {
            holders.remove(room);
        }
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

    /** Also drops what is held. */
    @Override
    void discard(Consumer<? super Completion> rest) {
        while (firstReleased != null) {
            discard(firstReleased, rest);
            takeReleased();
        }
        for (int i = 0; i < holders.size(); i++) {
            HoldingCompletions room = holders.get(i);
            for (CompletionLine line = room.held(); line != null; line = line.nextHeld) {
                discard(line, rest);
            }
        }
        discard(arrived, rest);
    }

    private void discard(CompletionLine line, Consumer<? super Completion> rest) {
        while (!line.isEmpty()) {
            CompletionRecord record = line.first();
            CompletionLine own = line == arrived ? line(record) : null;
            discard(record, rest);
            line.removeFirst();
            if (own != null) {
                own.arrived--;
            }
        }
    }
}
