package dev.sluice.handle.spi;

import dev.sluice.handle.FileAlignment;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a file's transfers that its options determine.
 *
 * @param appends    whether writes append
 * @param alignment  the alignment of its transfers; null unless it has direct access
 * @param readFlags  the {@code RWF_} flags of each read (preadv2(2))
 * @param writeFlags the {@code RWF_} flags of each write
 * @param minAtomic  the smallest length of a write; 0 unless each write has to be atomic
 * @param maxAtomic  the largest length of such a write
 */
public record FileUse(boolean appends, @Nullable FileAlignment alignment, int readFlags, int writeFlags, int minAtomic,
        int maxAtomic) {

    /** For files without such options, and for other handles. */
    public static final FileUse NONE = new FileUse(false, null, 0, 0, 0, 0);

    /** For files opened for appending, without another option. */
    public static final FileUse APPENDING = new FileUse(true, null, 0, 0, 0, 0);

    /** {@return whether calls have flags} */
    public boolean hasFlags() {
        return (readFlags | writeFlags) != 0;
    }

    /** {@return whether each write has to be atomic} */
    public boolean isAtomic() {
        return maxAtomic != 0;
    }
}
