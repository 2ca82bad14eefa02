package dev.sluice.campaign;

import dev.sluice.testing.Depth;
import java.security.SecureRandom;
import java.util.Random;

/** The length and the random seed of a campaign. */
public final class Campaign {

    /** The JUnit tag of every campaign. */
    public static final String TAG = "campaign";

    private static final String SEED = "sluice.campaign.seed";

    private final String name;
    private final long seed;

    private Campaign(String name, long seed) {
        this.name = name;
        this.seed = seed;
    }

    /**
     * Begins a campaign, and prints the option that repeats it. The normal build always uses the same seed, so that it
     * fails for the change that broke something and not for a later one; the long form uses new seeds.
     *
     * @param the name of the campaign
     * @return a campaign with the seed of {@code -Dsluice.campaign.seed}; by default a fixed one, in the long form a
     *         random one
     */
    public static Campaign begin(String name) {
        Long given = Long.getLong(SEED);
        long seed = given != null ? given : isLong() ? new SecureRandom().nextLong() : name.hashCode();
        Campaign campaign = new Campaign(name, seed);
        System.out.println(campaign);
        return campaign;
    }

    /** {@return whether the profile {@code campaign} runs} */
    public static boolean isLong() {
        return Depth.current() == Depth.CAMPAIGN;
    }

    /**
     * Chooses between two numbers of runs.
     *
     * @param inShort the number of runs in the normal build
     * @param inLong  the number of runs in the profile {@code campaign}
     * @return one of them
     */
    public static int count(int inShort, int inLong) {
        return isLong() ? inLong : inShort;
    }

    /** {@return the seed} */
    public long seed() {
        return seed;
    }

    /**
     * {@return the random generator of one of several runs, which does not depend on the other runs}
     *
     * @param run the number of the run
     */
    public Random random(long run) {
        return new Random(seed * 31 + run);
    }

    /** {@return the name and the option that repeats the campaign, for the message of each failure} */
    @Override
    public String toString() {
        return name + ": repeat with -D" + SEED + "=" + seed + (isLong() ? " -Pcampaign" : "");
    }
}
