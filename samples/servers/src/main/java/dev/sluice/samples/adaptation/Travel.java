package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.SizeClass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The cost of sending files.
 *
 * @param nanos    how long it took
 * @param cpuNanos processor time of the whole process meanwhile; 0 if the system does not report it
 * @param octets   of files that have been handed to sockets, by their {@link SizeClass}, in its order
 */
public record Travel(long nanos, long cpuNanos, List<Long> octets) {

    /** Nothing. */
    public static final Travel NONE = new Travel(0, 0, Collections.nCopies(SizeClass.values().length, 0L));

    /** Copies the list. */
    public Travel {
        octets = List.copyOf(octets);
    }

    /** {@return the difference to an earlier moment, if both have counted from the beginning} */
    Travel since(Travel earlier) {
        List<Long> more = new ArrayList<>();
        for (int i = 0; i < octets.size(); i++) {
            more.add(octets.get(i) - earlier.octets.get(i));
        }
        return new Travel(nanos - earlier.nanos, cpuNanos - earlier.cpuNanos, more);
    }

    /** {@return the number of octets} */
    long total() {
        return octets.stream().mapToLong(Long::longValue).sum();
    }

    /** {@return how many of a thousand octets were in files of a class; 0 if there were none} */
    long share(SizeClass size) {
        long total = total();
        return total == 0 ? 0 : 1000 * octets.get(size.ordinal()) / total;
    }
}
