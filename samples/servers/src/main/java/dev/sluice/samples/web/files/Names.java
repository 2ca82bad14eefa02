package dev.sluice.samples.web.files;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Takes the names that do not begin with a dot, out of a given number of names of a directory. */
final class Names implements Predicate<Path> {

    private final List<Path> taken = new ArrayList<>();
    private int left;

    /** Looks at this many names. */
    Names(int limit) {
        left = limit;
    }

    @Override
    public boolean test(Path name) {
        if (!name.toString().startsWith(".")) {
            taken.add(name);
        }
        left--;
        return left > 0;
    }

    List<Path> taken() {
        return taken;
    }
}
