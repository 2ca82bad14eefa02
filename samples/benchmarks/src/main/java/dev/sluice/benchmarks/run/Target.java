package dev.sluice.benchmarks.run;

import java.util.List;

/**
 * A value that a contestant should reach in a table. The {@link Section.Better} of the table determines whether it is a
 * minimum or a maximum.
 *
 * @param contestant that has it
 * @param scenario   where; null if everywhere
 * @param factor     times the measure is the limit
 * @param measure    what the limit is taken from
 */
public record Target(String contestant, String scenario, double factor, Measure measure) {

    /** The source of the limit of a target. */
    public sealed interface Measure {
    }

    /**
     * A value in the unit of the table; the factor is 1.
     *
     * @param limit the value
     */
    public record Fixed(double limit) implements Measure {
    }

    /**
     * Another contestant in the same scenario.
     *
     * @param contestant to compare with
     */
    public record Other(String contestant) implements Measure {
    }

    /**
     * The best of some contestants in the same scenario.
     *
     * @param contestants to compare with; those that were not measured do not count
     * @param name        what they are called together
     */
    public record BestOf(List<String> contestants, String name) implements Measure {

        /** Creates the measure; the list is copied. */
        public BestOf {
            contestants = List.copyOf(contestants);
        }
    }

    /**
     * Another scenario of the same contestant.
     *
     * @param scenario to compare with
     */
    public record Elsewhere(String scenario) implements Measure {
    }

    /** The contestant's own best; it applies from the scenario with the best to the last one. */
    public record OwnBest() implements Measure {
    }

    /**
     * Another contestant in the same scenario, from which the value may not be too far away in either direction; the
     * factor is 1.
     *
     * @param contestant that has the target
     * @param distance   how far it may be away, in the unit of the table
     */
    public record Near(String contestant, double distance) implements Measure {
    }

    /**
     * {@return a value as a limit, in all scenarios}
     *
     * @param contestant that has the target
     * @param limit      in the unit of the table
     */
    public static Target of(String contestant, double limit) {
        return new Target(contestant, null, 1, new Fixed(limit));
    }

    /**
     * {@return the target of a multiple of another contestant's value, in all scenarios}
     *
     * @param contestant that has the target
     * @param factor     how many times
     * @param other      the other one
     */
    public static Target times(String contestant, double factor, String other) {
        return new Target(contestant, null, factor, new Other(other));
    }

    /**
     * {@return the target of a multiple of the best of some contestants, in all scenarios}
     *
     * @param contestant that has the target
     * @param factor     how many times
     * @param name       what the others are called together
     * @param others     the others
     */
    public static Target timesBest(String contestant, double factor, String name, List<String> others) {
        return new Target(contestant, null, factor, new BestOf(others, name));
    }

    /**
     * {@return a share of the contestant's own best, from there on}
     *
     * @param contestant that has the target
     * @param share      of its best value
     */
    public static Target ofOwnBest(String contestant, double share) {
        return new Target(contestant, null, share, new OwnBest());
    }

    /**
     * {@return to be near to another one, in all scenarios}
     *
     * @param contestant that has the target
     * @param distance   how far it may be away, in the unit of the table
     * @param other      the other one
     */
    public static Target near(String contestant, double distance, String other) {
        return new Target(contestant, null, 1, new Near(other, distance));
    }

    /**
     * {@return the target of a multiple of the same contestant's value in another scenario}
     *
     * @param contestant that has the target
     * @param scenario   where
     * @param factor     how many times
     * @param other      the other scenario
     */
    public static Target timesElsewhere(String contestant, String scenario, double factor, String other) {
        return new Target(contestant, scenario, factor, new Elsewhere(other));
    }

    /**
     * {@return the same in one scenario alone}
     *
     * @param only the only scenario
     */
    public Target in(String only) {
        return new Target(contestant, only, factor, measure);
    }
}
