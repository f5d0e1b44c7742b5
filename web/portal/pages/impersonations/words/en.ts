export default {
  acting: {
    supportHow: 'When somebody of the platform acted as somebody of this hospital, and why.',
    supportNone: 'Nobody of the platform has acted as somebody of this hospital.',
  },
};
