package dev.sluice.samples.web;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The deadlines of a loop's connections, looked over from time to time. For the loop thread. */
final class DeadlineSweep {

    /** A connection that has a deadline. */
    interface Expiring {

        /** {@return when its patience ends, on the scale of {@link System#nanoTime()}} */
        long deadline();

        /** The deadline has passed. */
        void expire();
    }

    private final Set<Expiring> members = new LinkedHashSet<>();
    private final List<Expiring> expired = new ArrayList<>();

    void add(Expiring member) {
        members.add(member);
    }

    void remove(Expiring member) {
        members.remove(member);
    }

    void sweep() {
        long now = System.nanoTime();
        for (Expiring member : members) {
            if (member.deadline() - now <= 0) {
                expired.add(member);
            }
        }
        // Not at once, for those that end remove themselves.
        expired.forEach(Expiring::expire);
        expired.clear();
    }
}
