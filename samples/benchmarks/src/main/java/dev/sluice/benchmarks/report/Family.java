package dev.sluice.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** Contestants of one origin, by how their names begin. Their order is that of the colours in {@link Theme}. */
enum Family {
    /** Sluice, and the concurrency strategies, all of them Sluice's, that stand on a Reactor. */
    SLUICE("Sluice|(reactor|leader|half)-"),
    /** The JDK, and the strategies that stand on a Proactor. */
    JAVA("java\\.nio|(concurrent-)?proactor"),
    NETTY("Netty"),
    C("C "),
    OTHERS("");

    private final Pattern beginning;

    Family(String beginning) {
        this.beginning = Pattern.compile(beginning);
    }

    /** {@return the family of a contestant} */
    static Family of(String contestant) {
        for (Family family : values()) {
            if (family.beginning.matcher(contestant).lookingAt()) {
                return family;
            }
        }
        throw new IllegalStateException("no family contains the contestant " + contestant);
    }

    /**
     * {@return the indexes of the contestants' colours, all of them different: that of its family for the first one of
     * a family, and what is left for the others}
     *
     * @param contestants no more than there are colours
     * @param colours     the number of colours
     */
    static List<Integer> distinct(List<String> contestants, int colours) {
        List<Integer> indexes = new ArrayList<>(Collections.nCopies(contestants.size(), null));
        for (int i = 0; i < contestants.size(); i++) {
            int own = of(contestants.get(i)).ordinal();
            if (!indexes.contains(own)) {
                indexes.set(i, own);
            }
        }
        int next = 0;
        for (int i = 0; i < indexes.size(); i++) {
            if (indexes.get(i) == null) {
                while (indexes.contains(next)) {
                    next++;
                }
                if (next >= colours) {
                    throw new IllegalArgumentException("more contestants than colours: " + contestants);
                }
                indexes.set(i, next);
            }
        }
        return indexes;
    }
}
