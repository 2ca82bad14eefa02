package dev.sluice.campaign.power;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What has happened to a disk, in order. */
final class History {

    private static final int FATES = 4;

    /** The beginning of a change, the completion of a force, or an acknowledgement. */
    private interface Event {
    }

    private record Begun(Change change) implements Event {
    }

    private record Acknowledged(long number) implements Event {
    }

    private record Forced() implements Event {
    }

    /**
     * A force that has begun, and covers the changes of a file or directory that had completed before.
     *
     * @param inode   the file or directory
     * @param begun   when
     * @param follows a change that the force follows, and covers also; null if there is none
     */
    record Force(Inode inode, int begun, Change follows) {

        boolean covers(Change change) {
            return change.inode() == inode && !change.hasFailed()
                    && (change == follows || change.isCompletedBefore(begun));
        }
    }

    private final Inode root;
    private final Map<Inode, Map<String, Inode>> names;
    private final List<Event> events = new ArrayList<>();
    private int time;

    /** Begins with the names that the directories have. */
    History(Inode root, Map<Inode, Map<String, Inode>> names) {
        this.root = root;
        this.names = names;
    }

    /** {@return the same change, which may be on the disk from now on} */
    <C extends Change> C begin(C change) {
        events.add(new Begun(change));
        return change;
    }

    /** {@return the change that has begun last} */
    Change last() {
        return ((Begun) events.get(events.size() - 1)).change();
    }

    void completed(Change change, long result) {
        change.completed(time++, result);
    }

    Force beginForce(Inode inode, Change follows) {
        return new Force(inode, time++, follows);
    }

    void completed(Force force) {
        for (Event event : events) {
            if (event instanceof Begun begun && force.covers(begun.change())) {
                begun.change().madeDurable(events.size());
            }
        }
        events.add(new Forced());
    }

    void acknowledge(long number) {
        events.add(new Acknowledged(number));
    }

    int size() {
        return events.size();
    }

    /** {@return the largest number that was acknowledged before an event, or -1} */
    long acknowledged(int end) {
        long largest = -1;
        for (Event event : events.subList(0, end)) {
            largest = event instanceof Acknowledged acknowledged ? Math.max(largest, acknowledged.number()) : largest;
        }
        return largest;
    }

    /** {@return the disk after a power failure directly before an event} */
    FailedDisk disk(int end, Tearing tearing, Random random) {
        FailedDisk disk = new FailedDisk(root, names);
        // All of one kind may be there, and none of the other.
        int ofNames = random.nextInt(FATES);
        int ofContents = random.nextInt(FATES);
        for (Event event : events.subList(0, end)) {
            if (event instanceof Begun begun && !begun.change().hasFailed()) {
                Change change = begun.change();
                int fate = change.isOfNames() ? ofNames : ofContents;
                // 0 is whole, 1 absent, 2 torn; and 3 a choice for each change.
                fate = change.isDurableBefore(end) ? 0 : fate == FATES - 1 ? random.nextInt(FATES - 1) : fate;
                if (fate == 0) {
                    change.apply(disk);
                } else if (fate == 2) {
                    change.tear(disk, tearing, random);
                }
            }
        }
        return disk;
    }
}
