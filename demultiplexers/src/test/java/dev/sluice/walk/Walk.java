package dev.sluice.walk;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The classes whose code the loop thread has run for one echoed message.
 *
 * @param classes of the library, superclasses and binding included, and the handler, in the order in which they came
 * @param others  number of other classes: those of the JDK, and hidden ones
 */
record Walk(List<EnteredClass> classes, int others) {

    @Override
    public String toString() {
        return classes.stream().map(EnteredClass::toString)
                .collect(Collectors.joining("\n", classes.size() + " classes of the library and one handler, " + others
                        + " of the JDK or hidden\n", "\n"));
    }
}
