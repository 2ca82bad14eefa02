package dev.sluice.samples.doctor;

import dev.sluice.calls.Availability;
import java.util.function.Supplier;

/**
 * What the library chooses among several that could do, and whether a system property makes it.
 *
 * @param property  the one that forces the choice
 * @param forced    whether it does
 * @param chosen    name of what is in force; empty if there is nothing
 * @param complaint why nothing is in force; empty if something is
 */
record Choice(String property, boolean forced, String chosen, String complaint) {

    /**
     * Chooses.
     *
     * @param property that may force the choice
     * @param unforced the value of the property that stands for its absence
     * @param chooser  gives the name, or throws if there is nothing to choose
     */
    static Choice of(String property, String unforced, Supplier<String> chooser) {
        boolean forced = !System.getProperty(property, unforced).equals(unforced);
        try {
            return new Choice(property, forced, chooser.get(), "");
        } catch (IllegalStateException | IllegalArgumentException e) {
            return new Choice(property, forced, "", e.getMessage());
        }
    }

    boolean isMade() {
        return !chosen.isEmpty();
    }

    /** {@return what there is to say about a candidate} */
    String remark(String name, Availability availability) {
        if (!name.equals(chosen)) {
            return availability.reason();
        }
        return forced ? "forced by -D" + property : "auto";
    }
}
