package dev.sluice.campaign.power;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** All that a disk may have if its power fails now, as texts. */
public final class DiskStates {

    private static final int SECTOR = 512;
    /** Enough for each of some ten states to come. */
    private static final int REPLAYS = 500;

    private DiskStates() {
    }

    /**
     * {@return the states} Each has the names of files, and a letter for each sector of their content, such as {@code
     * a=xxy b=}; a hyphen is a sector of zeros.
     *
     * @param disk    the recording
     * @param tearing what may be there of a write
     */
    public static Set<String> now(RecordedDisk disk, Tearing tearing) {
        Set<String> states = new TreeSet<>();
        for (int i = 0; i < REPLAYS; i++) {
            StringBuilder state = new StringBuilder();
            for (Map.Entry<String, byte[]> file : disk.disk(disk.points() - 1, tearing, new Random(i)).files()
                    .entrySet()) {
                state.append(file.getKey()).append('=');
                byte[] bytes = file.getValue();
                for (int at = 0; at < bytes.length; at += SECTOR) {
                    state.append(bytes[at] == 0 ? '-' : (char) bytes[at]);
                }
                state.append(' ');
            }
            states.add(state.toString().trim());
        }
        return states;
    }
}
