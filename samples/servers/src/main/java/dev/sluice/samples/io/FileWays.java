package dev.sluice.samples.io;

/**
 * The ways to send files, by their size.
 *
 * @param small  those that are best sent together with their head
 * @param medium those of {@link SizeClass#MEDIUM}
 * @param large  those of {@link SizeClass#LARGE}
 * @param huge   all others
 */
public record FileWays(FileIo small, FileIo medium, FileIo large, FileIo huge) {

    /** {@return the same for all, except that small ones are read where others are transmitted} */
    public static FileWays of(FileIo way) {
        return new FileWays(way == FileIo.TRANSMIT ? FileIo.READ : way, way, way, way);
    }

    /** {@return how files of a class travel} */
    public FileIo way(SizeClass size) {
        return switch (size) {
            case SMALL -> small;
            case MEDIUM -> medium;
            case LARGE -> large;
            case HUGE -> huge;
        };
    }

    /** {@return the same, except that files of one class travel another way} */
    public FileWays with(SizeClass size, FileIo way) {
        return new FileWays(size == SizeClass.SMALL ? way : small, size == SizeClass.MEDIUM ? way : medium,
                size == SizeClass.LARGE ? way : large, size == SizeClass.HUGE ? way : huge);
    }

    /** {@return for example {@code small files by read, medium by transmit, large by mmap, huge by transmit}} */
    @Override
    public String toString() {
        return "small files by " + small + ", medium by " + medium + ", large by " + large + ", huge by " + huge;
    }
}
